-- As drawn.lua, and right. A configuration with T = 256 is allowed at none of the drawn
-- sizes.
local hone = require "hone"

return hone.kernel {
    name = "drawn",
    template = "drawn.cu",
    problem = { N = 4096 },
    tune = { MODE = { 0 }, T = { 1, 4, 256 } },
    where = { "N % T == 0" },
    default = { MODE = 0, T = 1 },
    launch = { grid = { "ceil_div(N, 64)" }, block = { "64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    reference = { template = "drawn_reference.cu", entry = "drawn_reference",
                  launch = { grid = 1, block = 1 } },
    tolerance = { relative = 0 },
    verify = { { N = hone.range(1, 250) } },
}
