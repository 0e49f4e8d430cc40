-- expect: 6: item 1 of options of hone.campaign: -q is the campaign's own to say
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { id = "emu:a100" } },
    options = { "-q" },
}
