-- expect: 9: waiver 1 of kernel 'k' (missing_wait) is of no buffer: it is found in shared memory, name its line by at = "file.cu:120"
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = { { finding = "missing_wait", buffer = "x", reason = "why" } },
}
