-- expect: 7: unknown key 'gird' in launch of hone.kernel; did you mean 'grid'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { gird = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
