-- expect: 10: 'A' in derive of hone.kernel must be an expression in a string, or a number, got a table
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    derive = {
        A = {} },
}
