-- expect: 9: unknown key 'because' in waiver 1 of hone.kernel
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = { { finding = "race", at = "k.cu:1", because = "why" } },
}
