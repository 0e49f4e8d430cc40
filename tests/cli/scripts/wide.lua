-- y[i] = a * x[i], right at the sizes that it is verified at. What is wrong at the tuned one
-- only: CUT counts elements in 16 bits, MANY has a block too many share the first one's work.
local hone = require "hone"

return hone.kernel {
    name = "wide",
    template = "wide.cu",
    problem = { N = 100000 },
    tune = { BLOCK = { 64, 128, 256 }, CUT = { 0, 1 }, MANY = { 0, 1 } },
    default = { BLOCK = 64, CUT = 0, MANY = 0 },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.f32("a", "1.5"), hone.i32("N") },
    verify = { { N = 256 }, { N = 1001 } },
    reference = { template = "wide_reference.cu", entry = "wide_reference",
                  launch = { grid = { 1 }, block = { 256 } } },
    tolerance = { relative = 0 },
}
