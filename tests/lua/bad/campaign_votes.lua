-- expect: 6: 'votes' in hone.campaign must be an integer in 1 .. 99, got 1.5
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { id = "emu:a100" } },
    votes = 1.5,
}
