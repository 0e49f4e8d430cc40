-- y[i] = a * x[i], the smallest kernel with a reference. MODE 1 does not compile, MODE 2
-- gives a wrong result, MODE 3 writes past the end.
local hone = require "hone"

return hone.kernel {
    name = "scale",
    template = "scale.cu",
    problem = { N = 5000 },
    tune = { BLOCK = { 32, 64, 128, 256 }, MODE = { 0, 1, 2, 3 } },
    default = { BLOCK = 32, MODE = 0 },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.f32("a", "1.5"), hone.i32("N") },
    verify = { { N = 256 }, { N = 1001 } },
    reference = { template = "scale_reference.cu", entry = "scale_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
    work = { flops = "N", bytes = "8 * N" },
}
