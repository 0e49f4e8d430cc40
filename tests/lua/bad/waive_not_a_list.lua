-- expect: 9: waive of hone.kernel must be a list without gaps or names
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = { finding = "race", at = "k.cu:1", reason = "why" },
}
