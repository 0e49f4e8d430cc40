-- expect: 8: box of the tensor map in hone.input must be a list of 2, got 1
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { tensor_map = { size = { "N", 2 }, box = { 8 } } }) },
}
