-- expect: 9: 'N' in defines of hone.kernel is drawn from a range in verify: each size would be a program of its own
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    defines = { "N" },
    verify = { { N = hone.range(1, 5000) } },
}
