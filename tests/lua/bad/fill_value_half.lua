-- expect: 8: 'value' of hone.input must be a whole number, got 0.5
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "u8", "N", { fill = "constant", value = 0.5 }) },
}
