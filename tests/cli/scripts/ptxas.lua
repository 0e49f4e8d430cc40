-- y[i] = x[i] + 1 by kernels that ptxas has to judge (WAY 1 and 2), and one that it has not.
local hone = require "hone"

return hone.kernel {
    name = "ptxas",
    template = "ptxas.cu",
    problem = { N = 4096 },
    tune = { WAY = { 0, 1, 2 } },
    default = { WAY = 0 },
    launch = { grid = { "ceil_div(N, WAY == 2 and 1024 or 64)" },
               block = { "WAY == 2 and 1024 or 64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    reference = { template = "drawn_reference.cu", entry = "drawn_reference",
                  launch = { grid = 1, block = 1 } },
    tolerance = { relative = 0 },
    verify = { { N = 256 } },
}
