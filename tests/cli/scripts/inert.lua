-- IDLE is not used by the template, SAME makes no difference to its code, WIDE only to the
-- launch.
local hone = require "hone"

return hone.kernel {
    name = "fill",
    template = "inert.cu",
    problem = { N = 5000 },
    tune = { BLOCK = { 32, 64, 128 }, IDLE = { 0, 1, 2 }, SAME = { 0, 1 }, WIDE = { 1, 2 } },
    launch = { grid = { "ceil_div(N, BLOCK) * WIDE" }, block = { "BLOCK" } },
    args = { hone.output("y", "f32", "N"), hone.i32("N") },
}
