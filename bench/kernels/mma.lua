-- A plain matrix product on tensor cores, bf16 to fp32: work for the benchmark of the
-- emulator.
local hone = require "hone"

return hone.kernel {
    name     = "mma",
    template = "mma.cu",
    problem  = { M = 512, N = 512, K = 512 },
    tune     = { STEP = { 32 } },
    launch   = { grid = { "N // 64", "M // 64" }, block = { 128 } },
    args     = {
        hone.input("A", "bf16", "M * K"), hone.input("B", "bf16", "K * N"),
        hone.output("C", "f32", "M * N"), hone.i32("N"), hone.i32("K"),
    },
}
