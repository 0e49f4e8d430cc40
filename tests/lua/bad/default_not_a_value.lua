-- expect: 9: default BLOCK = 48 is not among the values of 'BLOCK'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    default = { BLOCK = 48 },
}
