-- y[i] = x[i]. The reference takes N steps for each element: at the tuned size, minutes.
local hone = require "hone"

return hone.kernel {
    name = "long",
    template = "long.cu", entry = "long_kernel",
    problem = { N = 131072 },
    tune = { BLOCK = { 64, 128 } },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    verify = { { N = 100 } },
    reference = { template = "long_reference.cu", entry = "long_reference",
                  launch = { grid = { "ceil_div(N, 128)" }, block = { 128 } } },
    tolerance = { relative = 0 },
}
