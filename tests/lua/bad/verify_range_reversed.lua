-- expect: 10: hone.range(5000, 1, 1) is empty
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    verify = {
        { N = hone.range(5000, 1) },
    },
}
