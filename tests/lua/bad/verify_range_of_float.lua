-- expect: 11: 'SCALE' in verify size 2 of hone.kernel is a range of integers, in problem it is a float
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    verify = {
        { N = 33 },
        { SCALE = hone.range(1, 4) },
    },
}
