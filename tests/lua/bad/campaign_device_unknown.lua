-- expect: 6: item 1 of devices of kernel 1 of hone.campaign: no device 'emu:a10' in the campaign; did you mean 'emu:a100'?
local hone = require "hone"
return hone.campaign {
    kernels = { {
        script = "sgemm",
        devices = { "emu:a10" },
    } },
    devices = { { id = "emu:a100" } },
}
