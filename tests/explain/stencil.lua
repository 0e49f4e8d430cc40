local hone = require "hone"

return hone.kernel {
    name = "stencil", template = "stencil.cu", problem = { N = 4096 },
    tune = { BLOCK = { 512 } },
    launch = { grid = { "N // 64", "N // 8" }, block = "BLOCK" },
    args = { hone.input("in", "f32", "N * N"), hone.output("out", "f32", "N * N"),
        hone.i32("N") },
    work = { bytes = "8 * N * N" },
}
