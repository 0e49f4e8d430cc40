-- A product with a fault planted (planted.cuh), or without; of emu:a100.
local hone = require "hone"

return hone.kernel {
    name = "matmul", template = "matmul.cu", problem = { N = 2304 },
    tune = { PLANT = { 0, 1, 2, 3, 4, 5 } },
    derive = {
        TILES = "N // 64",
        -- 40 KiB let 4 blocks run at once: then there are whole waves of them.
        SHARED = "1024 * (PLANT == 4 and 100 or 39)",
        GRID = "PLANT == 5 and 4 * 108 + 8 or TILES * TILES",
    },
    default = { PLANT = 0 },
    launch = { grid = "GRID", block = 256, shared = "SHARED" },
    args = { hone.input("a", "f32", "N * N"), hone.input("b", "f32", "N * N"),
        hone.output("c", "f32", "N * N"), hone.i32("N"), hone.i32("TILES") },
    work = { flops = "2 * N * N * N", bytes = "12 * N * N" },
}
