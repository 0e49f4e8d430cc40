-- expect: 3: hone.kernel needs 'name'
local hone = require "hone"
return hone.kernel {
    template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
