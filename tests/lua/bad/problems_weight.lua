-- expect: 9: 'weight' of problem 2 of hone.kernel must be a number above 0
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    problems = { { N = 8 }, { N = 9, weight = 0 } },
}
