-- expect: 6: unknown key 'sede' in hone.campaign; did you mean 'seed'?
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { id = "emu:a100" } },
    sede = 2,
}
