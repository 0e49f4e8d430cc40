local hone = require "hone"

return hone.kernel {
    name = "saxpy", template = "saxpy.cu", problem = { N = 1 << 24 },
    tune = { BLOCK = { 256 } },
    launch = { grid = "ceil_div(N // 4, BLOCK)", block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.inout("y", "f32", "N"), hone.f32("a", "2"),
        hone.i32("N") },
    work = { flops = "2 * N", bytes = "12 * N" },
}
