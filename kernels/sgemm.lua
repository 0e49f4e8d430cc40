-- Matrix product in fp32 on the CUDA cores: block, warp and thread tiles, stages in
-- shared memory, order of blocks, width of global accesses. See docs/templates/sgemm.md.
local hone = require "hone"

return hone.kernel {
    name     = "sgemm",
    template = "sgemm.cu",
    problem  = { M = 4096, N = 4096, K = 4096 },
    tune     = {
        BM = { 32, 64, 128, 256 }, BN = { 32, 64, 128, 256 }, BK = { 8, 16, 32 },
        WM = { 16, 32, 64, 128 }, WN = { 16, 32, 64, 128 },
        TM = { 4, 8, 16 }, TN = { 4, 8, 16 },
        STAGES = hone.range(1, 3), GROUP_M = { 1, 4, 8, 16 }, VEC = { 1, 2, 4 },
        MIN_BLOCKS = { 1, 2 },
    },
    derive   = {
        THREADS = "32 * (BM // WM) * (BN // WN)",
        SKEW    = "max(4, 32 * VEC // BK)", -- against bank conflicts, as in the template
        SMEM    = "4 * STAGES * (BK * BM + BK // VEC * SKEW + BK * BN)",
        -- What a thread must hold whatever the compiler does: sums, two sets of
        -- fragments, the tile in flight, and 16 for addresses and counters.
        REGS    = "TM * TN + 2 * (TM + TN) + (BM + BN) * BK // THREADS + 16",
    },
    where    = {
        "BM % WM == 0 and BN % WN == 0",
        "WM % TM == 0 and WN % TN == 0",
        "(WM // TM) * (WN // TN) == 32", -- a warp tile is 32 thread tiles
        "THREADS >= 64 and THREADS <= device.max_threads_per_block",
        "BM * BK % (THREADS * VEC) == 0 and BN * BK % (THREADS * VEC) == 0",
        "TM * TN <= 128", -- more spill for certain and compile for seconds
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        -- MIN_BLOCKS blocks must fit a multiprocessor.
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    },
    default  = {
        BM = 128, BN = 128, BK = 8, WM = 64, WN = 32, TM = 8, TN = 8,
        STAGES = 2, GROUP_M = 8, VEC = 4, MIN_BLOCKS = 2,
    },
    launch   = {
        grid = { "ceil_div(M, BM) * ceil_div(N, BN)" }, block = { "THREADS" },
        shared = "SMEM",
    },
    args     = {
        hone.input("A", "f32", "M * K"), hone.input("B", "f32", "K * N"),
        hone.output("C", "f32", "M * N"), hone.i32("M"), hone.i32("N"), hone.i32("K"),
    },
    reference = {
        template = "reference/gemm.cu", entry = "gemm_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- 256 is a multiple of every tile and wakes the vector path; the other sizes cut
    -- every tile, in each direction, and no row of theirs is aligned.
    verify   = { { M = 256, N = 256, K = 128 }, { M = 129, N = 131, K = 67 } },
    -- Template and reference add the same products with fmaf in the same order, k = 0, 1,
    -- ... Equal steps round equally, so results must agree in every bit.
    tolerance = { relative = 0, absolute = 0 },
    work     = { flops = "2 * M * N * K", bytes = "4 * (M * K + K * N + M * N)" },
}
