-- expect: 11: 'mean' in tolerance of hone.kernel bounds the error of floating results, and the kernel has none
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.output("y", "i32", "N") },
    tolerance = {
        relative = 1e-5,
        mean = 1e-6,
    },
}
