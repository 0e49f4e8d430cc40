-- expect: 6: 'via' in device 1 of hone.campaign can be local, print, slurm, got 'slrum'; did you mean 'slurm'?
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = {
        { id = "emu:a100", via = "slrum" },
    },
}
