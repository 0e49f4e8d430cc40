-- The kernel of lab.lua in a few sizes of its grid. On the fake driver fewer blocks draw
-- more, so where power is capped they are the slower ones in the long run.
local hone = require "hone"

return hone.kernel {
    name = "lab",
    template = "lab.cu",
    problem = { N = 512 },
    tune = { BLOCKS = { 1, 2, 4, 8, 16 }, A = { 0 }, B = { 0 }, C = { 0 } },
    default = { BLOCKS = 2, A = 0, B = 0, C = 0 },
    launch = { grid = { "BLOCKS" }, block = { "64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.f32("a", "1.5"), hone.i32("N") },
    verify = { { N = 256 } },
    reference = { template = "lab_reference.cu", entry = "lab_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
    work = { flops = "1000 * N", bytes = "8 * N" },
}
