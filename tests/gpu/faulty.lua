-- y[i] = a * x[i] by a kernel that faults on demand: MODE 1 reads an illegal address, MODE 2
-- never ends, MODE 3 traps. For the stage 'isolation' of run.sh.
local hone = require "hone"

return hone.kernel {
    name = "lab",
    template = "faulty.cu",
    problem = { N = 4096 },
    tune = { BLOCK = { 64, 128, 256, 512 }, MODE = { 0, 1, 2, 3 } },
    default = { BLOCK = 64, MODE = 0 },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.f32("a", "1.5"), hone.i32("N") },
    verify = { { N = 256 }, { N = 1001 } },
    reference = { template = "faulty_reference.cu", entry = "lab_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
}
