-- The matrix product of the example library; see gemm.cu.
local hone = require "hone"

return hone.kernel {
    name      = "gemm",
    template  = "gemm.cu",
    problem   = { M = 512, N = 512, K = 512 },
    tune      = {
        BM = { 16, 32, 64, 128 }, BN = { 16, 32, 64, 128 }, BK = { 8, 16 },
        TM = { 2, 4, 8 }, TN = { 2, 4, 8 },
    },
    derive    = { THREADS = "(BM // TM) * (BN // TN)" },
    where     = {
        "THREADS >= 32 and THREADS <= device.max_threads_per_block",
        "4 * BK * (BM + BN) <= 48 * 1024",
    },
    default   = { BM = 32, BN = 32, BK = 8, TM = 4, TN = 4 },
    launch    = {
        grid = { "ceil_div(N, BN)", "ceil_div(M, BM)" }, block = { "THREADS" },
    },
    args      = {
        hone.input("A", "f32", "M * K"), hone.input("B", "f32", "K * N"),
        hone.output("C", "f32", "M * N"), hone.i32("M"), hone.i32("N"), hone.i32("K"),
    },
    reference = {
        template = "gemm_reference.cu", entry = "gemm_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    verify    = { { M = 64, N = 64, K = 32 }, { M = 33, N = 70, K = 19 } },
    tolerance = { relative = 0 }, -- the same products in the same order
    work      = { flops = "2 * M * N * K", bytes = "4 * (M * K + K * N + M * N)" },
}
