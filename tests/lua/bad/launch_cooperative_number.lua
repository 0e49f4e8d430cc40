-- expect: 7: 'cooperative' in launch of hone.kernel must be a boolean, got a number
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK", cooperative = 1 },
    args = { hone.input("x", "f32", "N") },
}
