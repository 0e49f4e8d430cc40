-- Matrix product with weights of 4 bits on tensor cores by mma.sync: block and warp
-- tiles, stages of cp.async, split-K. What is computed is chosen by --set: TYPE, OUT,
-- ZEROS and the epilogue. Weights come from w4_shuffle.lua. See
-- docs/templates/gemm_w4a16.md.
local hone = require "hone"
local gemm = require "common.gemm"
local w4 = require "common.w4"

local choice = w4.choose()
local tune = {
    BM = { 16, 32, 64, 128 }, BN = { 32, 64, 128, 256 }, BK = { 64, 128 }, -- elements
    WM = { 16, 32, 64 }, WN = { 16, 32, 64, 128 },
    STAGES = hone.range(2, 6), GROUP_M = { 1, 4, 8 }, STAGE_D = { 0, 1 },
    PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1 }, SPLIT_K = { 1, 2, 4, 8 },
    MIN_BLOCKS = { 1, 2, 3 },
}
local lda = "(K + (PAD and not ALIGN_AC and 1 or 0))"

return hone.kernel {
    name     = "gemm_w4a16",
    template = "gemm_w4a16.cu",
    problem  = w4.problem(choice),
    defines  = w4.defines,
    tune     = tune,
    derive   = {
        TILES   = "ceil_div(M, BM) * ceil_div(N, BN)",
        THREADS = "32 * (BM // WM) * (BN // WN)",
        -- A, weights, scales and zero points.
        STAGE   = "ceil_div(2 * BM * BK + BN * BK // 2 + 2 * BN + " ..
            "(ZEROS and BN // 2 or 0), 128) * 128",
        SMEM    = "max(STAGES * STAGE, STAGE_D * THREADS * 2 * (WN + 8))",
        -- Sums, those of a group, fragments, words, and some for addresses.
        REGS    = "WM * WN // 16 + WM // 4 + WN // 4 + 48",
    },
    where    = {
        "N % 16 == 0 or 'N: a multiple of 16, else columns of zeros behind W' == ''",
        "K % 128 == 0 or 'K: a multiple of 128, else zeros behind A and W' == ''",
        "BM % WM == 0 and BN % WN == 0",
        "THREADS <= device.max_threads_per_block",
        "device.cc_major >= 8",
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    },
    default  = {
        BM = 16, BN = 128, BK = 128, WM = 16, WN = 32, STAGES = 4, GROUP_M = 8,
        STAGE_D = 1, PREFETCH = 128, EVICT = 0, SPLIT_K = 4, MIN_BLOCKS = 1,
    },
    launch   = {
        grid = { "TILES", "SPLIT_K" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(w4.operands(choice, lda), {
        hone.workspace("partials", "f32",
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a tile, of the smallest tiles.
        hone.inout("counters", "u32", "ceil_div(M, 16) * ceil_div(N, 32)",
                   { fill = "zero" }),
    }, w4.sizes(lda)),
    reference = w4.reference,
    -- Whole and cut tiles in aligned rows, and a group that shares cut; rows of odd
    -- lengths; so deep that each ring wraps; nearly nothing.
    verify   = {
        { M = 136, N = 272, K = 384 }, { M = 65, N = 80, K = 128, PAD = true },
        { M = 3, N = 16, K = gemm.wrapping_depth(tune, 1) },
        { M = 1, N = 16, K = 0 },
    },
    tolerance = w4.tolerance(choice),
    work     = w4.work,
}
