-- A kernel that is right, of a template that lacks everything hone check --lint looks for.
local hone = require "hone"

return hone.kernel {
    name = "lapses",
    template = "lapses.cu",
    problem = { N = 5000, DECLARED = 1 },
    defines = { "DECLARED" },
    tune = { BLOCK = { 32, 64 }, UNUSED = { 0, 1 }, BIASED = { 1 }, TIMES = { 1 } },
    default = { BLOCK = 64, UNUSED = 0, BIASED = 1, TIMES = 1 },
    launch = { grid = "ceil_div(N, BLOCK) * TIMES", block = "BLOCK", shared = 4096 },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N"),
             hone.i32("barrier", 1) },
    verify = { { N = 256 }, { N = 1001 } },
    reference = { template = "lapses_reference.cu", entry = "lapses_reference",
                  launch = { grid = "ceil_div(N, 256)", block = 256 } },
    tolerance = { relative = 0 },
}
