-- expect: 9: 'at' in waiver 1 of hone.kernel must be a file and a line, such as "file.cu:120", got 'k.cu:0'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = { { finding = "race", at = "k.cu:0", reason = "why" } },
}
