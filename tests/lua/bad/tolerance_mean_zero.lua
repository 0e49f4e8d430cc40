-- expect: 9: mean tolerance '0' is 0, must be above 0
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N") },
    tolerance = { mean = 0 },
}
