-- expect: 8: 'value' of hone.input goes with fill = 'constant', not with 'uniform'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { value = 1 }) },
}
