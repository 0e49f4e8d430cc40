-- expect: 7: cluster 4 x 8 x 1 ('4', '8', '1') has 32 blocks, no device allows more than 16, and all of them 8
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK", cluster = { 4, 8 } },
    args = { hone.input("x", "f32", "N") },
}
