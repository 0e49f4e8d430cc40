-- expect: 8: fill 'normal' of hone.input is for floating types, not for i8
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "i8", "N", { fill = "normal" }) },
}
