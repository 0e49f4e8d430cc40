-- expect: 7: device 'emu:a100' of hone.campaign appears twice
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = {
        { id = "emu:a100" },
        { name = "emu:a100" },
    },
}
