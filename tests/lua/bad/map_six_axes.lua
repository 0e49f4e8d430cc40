-- expect: 8: a tensor map has 1 to 5 axes, got 6
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { tensor_map = { size = { 1, 1, 1, 1, 1, 1 }, box = {} } }) },
}
