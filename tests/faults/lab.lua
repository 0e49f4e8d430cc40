-- y[i] = a * x[i], in 1024 configurations that differ in nothing but their image: what the
-- fault laboratory runs on the fake driver, which knows the kernel by its name.
local hone = require "hone"

return hone.kernel {
    name = "lab",
    template = "lab.cu",
    problem = { N = 4096 },
    tune = { A = hone.range(0, 15), B = hone.range(0, 15), C = hone.range(0, 3) },
    default = { A = 0, B = 0, C = 0 },
    launch = { grid = { "ceil_div(N, 64 * (1 + A))" }, block = { "64" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.f32("a", "1.5"), hone.i32("N") },
    verify = { { N = 256 }, { N = 1001 } },
    reference = { template = "lab_reference.cu", entry = "lab_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
    work = { flops = "N" },
}
