-- A kernel without a reference. MODE says what is wrong with it.
local hone = require "hone"

return hone.kernel {
    name = "alone",
    template = "alone.cu",
    problem = { N = 4096 },
    tune = { MODE = hone.range(0, 8) },
    default = { MODE = 0 },
    launch = { grid = { "ceil_div(N, 64)" }, block = { "64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.inout("sum", "f32", "1", { fill = "zero" }), hone.i32("N") },
    verify = { { N = 256 }, { N = 1001 } },
}
