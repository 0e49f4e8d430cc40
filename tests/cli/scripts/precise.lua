-- y[i] = a * sum over k of x[i * K + k] in floats, against a reference in doubles. MODE 0
-- adds in pairs, 1 adds numbers cut to eight bits, as a faster unit has them, and 2 leaves
-- out the last one.
local hone = require "hone"

return hone.kernel {
    name = "precise",
    template = "precise.cu",
    problem = { N = 300, K = 256 },
    tune = { MODE = { 0, 1, 2 } },
    default = { MODE = 0 },
    launch = { grid = { "ceil_div(N, 64)" }, block = { "64" } },
    args = {
        hone.input("x", "f32", "N * K"), hone.output("y", "f32", "N"),
        hone.output("half", "f16", "N"), hone.output("rows", "i32", "N"),
        hone.f32("a", "0.1"), hone.i32("N"), hone.i32("K"),
        hone.symbol("bias", "f32", "4"),
    },
    reference = { template = "precise_reference.cu", entry = "precise_reference",
                  launch = { grid = 1, block = 1 }, precision = "f64" },
    tolerance = { relative = 1e-2, absolute = "4e-3 * sqrt(K)", mean = 1e-3 },
    verify = { { N = 40, K = 64 }, { N = 3, K = 1 } },
}
