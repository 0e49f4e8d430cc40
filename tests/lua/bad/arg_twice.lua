-- expect: 10: argument 'x' of hone.kernel appears twice
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"),
        hone.i32("N"),
        hone.i32("x", 1) },
}
