-- expect: 7: launch of hone.kernel needs 'block'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1 },
    args = { hone.input("x", "f32", "N") },
}
