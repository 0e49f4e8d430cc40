-- expect: 9: 'entry' in reference of hone.kernel must be a string, got nothing
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    reference = { template = "copy.cu" },
}
