-- expect: 7: 'cluster' in launch of hone.kernel needs 1 to 3 expressions
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK", cluster = { 1, 1, 1, 1 } },
    args = { hone.input("x", "f32", "N") },
}
