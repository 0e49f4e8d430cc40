-- Without `problem`, the first of `problems` is the problem.
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problems = { { N = 8, M = 2, weight = 3 }, { N = 16 }, { M = 5, N = 9 } },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
