-- expect: 4: devices of hone.campaign are none
local hone = require "hone"
return hone.campaign {
    devices = {},
    kernels = { { script = "sgemm" } },
}
