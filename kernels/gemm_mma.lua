-- Matrix product on tensor cores by mma.sync: block and warp tiles, stages of cp.async,
-- register pipelining, order of blocks. See docs/templates/gemm_mma.md.
local hone = require "hone"

local lda, ldb = "(TRANS_A and M or K) + PAD", "(TRANS_B and K or N) + PAD"

return hone.kernel {
    name     = "gemm_mma",
    template = "gemm_mma.cu",
    -- Rows are stored PAD elements further apart than they are long.
    problem  = {
        M = 4096, N = 4096, K = 4096, PAD = 0, TRANS_A = false, TRANS_B = true,
    },
    defines  = { "TRANS_A", "TRANS_B" },
    tune     = {
        BM = { 16, 32, 64, 96, 128, 192, 256 }, BN = { 32, 64, 96, 128, 192, 256 },
        BK = { 32, 64, 128 },
        WM = { 16, 32, 48, 64, 96, 128 }, WN = { 16, 32, 48, 64, 96, 128 },
        STAGES = hone.range(2, 6), REGPIPE = { 1, 2 }, GROUP_M = { 1, 4, 8, 16 },
        STAGE_D = { 0, 1 }, PREFETCH = { 0, 128, 256 }, MIN_BLOCKS = { 1, 2, 3 },
    },
    derive   = {
        THREADS = "32 * (BM // WM) * (BN // WN)",
        STAGING = "STAGE_D * (THREADS // 32) * 16 * (WN + 8) * 4",
        SMEM    = "max(STAGES * (BM + BN) * BK * 2, STAGING)",
        -- Sums, fragments, and some for addresses and counters.
        REGS    = "WM * WN // 32 + REGPIPE * (WM + WN) // 4 + 40",
    },
    where    = {
        "BM % WM == 0 and BN % WN == 0",
        "THREADS <= device.max_threads_per_block",
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    },
    default  = {
        BM = 128, BN = 128, BK = 32, WM = 64, WN = 64, STAGES = 4, REGPIPE = 2,
        GROUP_M = 8, STAGE_D = 1, PREFETCH = 128, MIN_BLOCKS = 1,
    },
    launch   = {
        grid = { "ceil_div(M, BM) * ceil_div(N, BN)" }, block = { "THREADS" },
        shared = "SMEM",
    },
    args     = {
        hone.input("A", "bf16", "max(1, (TRANS_A and K or M) * (" .. lda .. "))"),
        hone.input("B", "bf16", "max(1, (TRANS_B and N or K) * (" .. ldb .. "))"),
        hone.inout("D", "bf16", "M * (N + PAD)"),
        hone.i32("M"), hone.i32("N"), hone.i32("K"),
        hone.i32("lda", lda), hone.i32("ldb", ldb), hone.i32("ldd", "N + PAD"),
    },
    reference = {
        template = "reference/gemm_mma.cu", entry = "gemm_mma_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Whole and cut tiles in aligned rows; nothing whole or aligned; nearly nothing.
    verify   = {
        { M = 264, N = 328, K = 200 }, { M = 129, N = 131, K = 67, PAD = 1 },
        { M = 1, N = 3, K = 0 },
    },
    -- Both results are rounded to bf16, by up to 2^-9. The sum in fp32 is of K products
    -- of at most 1, each of which rounds it by up to 2^-24 of what it has reached.
    tolerance = { relative = "2^-8", absolute = "2^-23 * K" },
    work     = { flops = "2 * M * N * K", bytes = "2 * (M * K + K * N + M * N)" },
}
