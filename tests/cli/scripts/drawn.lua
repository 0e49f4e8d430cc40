-- y[i] = x[i] + 1, at sizes that are drawn. MODE says where it is wrong.
local hone = require "hone"

return hone.kernel {
    name = "drawn",
    template = "drawn.cu",
    problem = { N = 4096 },
    tune = { MODE = hone.range(0, 4) },
    default = { MODE = 0 },
    launch = { grid = { "ceil_div(N, 64)" }, block = { "64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    reference = { template = "drawn_reference.cu", entry = "drawn_reference",
                  launch = { grid = 1, block = 1 } },
    tolerance = { relative = 0 },
    verify = { { N = 256 }, { N = hone.range(1, 2000), count = 24 } },
}
