-- expect: 6: item 1 of options of hone.campaign: -b is said by 'budget' of the campaign
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "sgemm" } },
    devices = { { id = "emu:a100" } },
    options = { "-b9" },
}
