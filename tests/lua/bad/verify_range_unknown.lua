-- expect: 9: unknown key 'M' in verify size 1 of hone.kernel
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    verify = { { M = hone.range(1, 4) } },
}
