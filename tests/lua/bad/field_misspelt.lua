-- expect: 8: attempt to call a nil value (field 'outptu'); did you mean 'output'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.outptu("x", "f32", "N") },
}
