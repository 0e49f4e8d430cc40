-- expect: 6: unknown key 'problem' in kernel 1 of hone.campaign; did you mean 'problems'?
local hone = require "hone"
return hone.campaign {
    kernels = { {
        script = "sgemm",
        problem = { M = 2 },
    } },
    devices = { { id = "emu:a100" } },
}
