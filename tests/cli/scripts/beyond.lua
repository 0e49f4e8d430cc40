-- y[i] = 2 * x[i], and a reference that writes beyond the end at the second size only.
local hone = require "hone"

return hone.kernel {
    name = "beyond",
    template = "beyond.cu",
    problem = { N = 1000 },
    tune = { BLOCK = { 256 } },
    launch = { grid = { "ceil_div(N, 256)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    verify = { { N = 262144 }, { N = 777 } },
    reference = { template = "beyond.cu", entry = "beyond_reference",
                  launch = { grid = { "ceil_div(N, 256)" }, block = { 256 } } },
}
