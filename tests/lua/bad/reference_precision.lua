-- expect: 11: 'precision' in reference of hone.kernel can be "f64", got 'f16'; without it the reference has the kernel's types
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    reference = {
        template = "copy.cu", entry = "copy", launch = { grid = 1, block = 1 },
        precision = "f16",
    },
}
