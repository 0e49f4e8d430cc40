-- expect: 8: interleave of the tensor map in hone.input cannot be 5
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", {
        tensor_map = { size = { "N" }, box = { 8 }, swizzle = 48, promotion = 7, interleave = 5 },
    }) },
}
