-- expect: 6: problems of kernel 1 of hone.campaign are none
local hone = require "hone"
return hone.campaign {
    kernels = { {
        script = "sgemm",
        problems = {},
    } },
    devices = { { id = "emu:a100" } },
}
