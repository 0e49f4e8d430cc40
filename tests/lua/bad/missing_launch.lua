-- expect: 3: hone.kernel needs 'launch'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    args = { hone.input("x", "f32", "N") },
}
