-- expect: 3: hone.campaign needs 'kernels'
local hone = require "hone"
return hone.campaign {
    devices = { { id = "emu:a100" } },
}
