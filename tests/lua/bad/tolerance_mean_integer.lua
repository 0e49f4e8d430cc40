-- expect: 8: 'mean' in the tolerance of hone.output bounds the error of floating results, and 'y' has none
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.output("y", "i32", "N", { tolerance = { mean = 0.1 } }) },
}
