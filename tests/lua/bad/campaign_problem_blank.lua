-- expect: 6: 'TYPE' in problem 1 of kernel 1 of hone.campaign must be a word; a file of problems can say it in JSON
local hone = require "hone"
return hone.campaign {
    kernels = { {
        script = "sgemm",
        problems = { { TYPE = "b f" } },
    } },
    devices = { { id = "emu:a100" } },
}
