-- expect: 6: 'seed' in hone.campaign must be an integer in 0 .. 9223372036854775807, got -1
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { id = "emu:a100" } },
    seed = -1,
}
