-- expect: 7: axis 1 of 'block' in launch of hone.kernel must be an expression in a string, or a number, got a boolean
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = true },
    args = { hone.input("x", "f32", "N") },
}
