-- expect: 9: unknown key 'relativ' in tolerance of hone.kernel; did you mean 'relative'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    tolerance = { relativ = 1 },
}
