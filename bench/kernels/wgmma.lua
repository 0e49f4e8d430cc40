-- A plain matrix product by wgmma, bf16 to fp32, B by columns: work for the benchmark of
-- the emulator.
local hone = require "hone"

return hone.kernel {
    name     = "gemm",
    template = "wgmma.cu",
    problem  = { M = 512, N = 512, K = 512 },
    tune     = { STEP = { 64 } },
    launch   = { grid = { "N // 128", "M // 64" }, block = { 128 } },
    args     = {
        hone.input("A", "bf16", "M * K"), hone.input("B", "bf16", "K * N"),
        hone.output("C", "f32", "M * N"), hone.i32("N"), hone.i32("K"),
    },
}
