-- A softmax with a fault planted (planted.cuh), or without; of emu:a100.
local hone = require "hone"

return hone.kernel {
    name = "softmax", template = "softmax.cu", problem = { N = 1 << 24 },
    tune = { PLANT = { 0, 1, 2, 3, 4, 5 } },
    derive = {
        THREADS = "PLANT == 4 and 32 or 256",
        ROWS = "N // 32 // THREADS",
        SHARED = "1024 * (PLANT == 4 and 100 or 39)",
        GRID = "PLANT == 5 and 4 * 108 + 8 or ROWS",
    },
    default = { PLANT = 0 },
    launch = { grid = "GRID", block = "THREADS", shared = "SHARED" },
    args = { hone.input("in", "f32", "N"), hone.output("out", "f32", "N"), hone.i32("ROWS") },
    work = { bytes = "8 * N" },
}
