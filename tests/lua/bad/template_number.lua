-- expect: 4: 'template' in hone.kernel must be a string, got a number
local hone = require "hone"
return hone.kernel {
    name = "k", template = 3,
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
