-- y[i] = x[i], first. MODE 1 never ends, at a place that half of a warp comes to; MODE 2
-- takes the compiler a minute.
local hone = require "hone"

return hone.kernel {
    name = "stuck",
    template = "stuck.cu",
    problem = { N = 1000 },
    tune = { BLOCK = { 32, 64, 128 }, MODE = { 0, 1, 2 } },
    default = { BLOCK = 32, MODE = 0 },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    verify = { { N = 100 } },
    reference = { template = "stuck_reference.cu", entry = "stuck_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
}
