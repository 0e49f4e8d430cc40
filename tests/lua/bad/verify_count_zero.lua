-- expect: 11: 'count' in verify size 1 of hone.kernel must be an integer in 1 .. 256, got 0
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    verify = {
        { N = hone.range(1, 4),
          count = 0 },
    },
}
