-- expect: 8: a tensor_map is of inputs and outputs without pointers
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.workspace("x", "f32", "N", { tensor_map = { size = { "N" }, box = { 8 } } }) },
}
