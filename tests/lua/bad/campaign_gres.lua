-- expect: 6: 'gres' in device 1 of hone.campaign goes with via = "slurm"
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = {
        { id = "cuda:0", gres = "gpu:1" },
    },
}
