-- expect: 7: block x 'BLOKC': unknown variable 'BLOKC', did you mean 'BLOCK'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOKC" },
    args = { hone.input("x", "f32", "N") },
}
