-- expect: 8: file 'five.bin' of 5 bytes is no list of f32, which have 4 each
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { fill = "file", file = "five.bin" }) },
}
