-- expect: 9: unknown finding 'rase' in waiver 1 of hone.kernel; did you mean 'race'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = { { finding = "rase", at = "k.cu:1", reason = "why" } },
}
