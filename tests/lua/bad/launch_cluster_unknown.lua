-- expect: 7: unknown key 'cluster_dims' in launch of hone.kernel; did you mean 'cluster'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK", cluster_dims = 2 },
    args = { hone.input("x", "f32", "N") },
}
