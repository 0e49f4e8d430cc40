-- expect: 9: flops of the work '-2' is -2, must be a finite number, not negative
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N") },
    work = { flops = -2 },
}
