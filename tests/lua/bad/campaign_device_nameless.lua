-- expect: 5: device 1 of hone.campaign needs 'id' ("emu:a100", "cuda:0") or 'name' ("NVIDIA H100")
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { via = "local" } },
}
