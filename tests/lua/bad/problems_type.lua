-- expect: 9: 'N' in problem 2 of hone.kernel is a string, in problem it is an integer
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    problems = { { N = 8 }, { N = "9" } },
}
