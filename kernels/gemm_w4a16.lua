-- Matrix product with weights of 4 bits on tensor cores by mma.sync: block and warp
-- tiles, stages of cp.async, split-K. What is computed is chosen by --set: TYPE, OUT,
-- ZEROS and the epilogue. Weights come from w4_shuffle.lua. See
-- docs/templates/gemm_w4a16.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "f16", "bf16" }, { "f16", "bf16" })
local problem = gemm.problem(choice, { M = 16, N = 4096, K = 4096 })
problem.TRANS_A, problem.TRANS_B = nil, nil
problem.ZEROS = false -- groups have zero points of their own

local tune = {
    BM = { 16, 32, 64, 128 }, BN = { 32, 64, 128, 256 }, BK = { 64, 128 }, -- elements
    WM = { 16, 32, 64 }, WN = { 16, 32, 64, 128 },
    STAGES = hone.range(2, 6), GROUP_M = { 1, 4, 8 }, STAGE_D = { 0, 1 },
    PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1 }, SPLIT_K = { 1, 2, 4, 8 },
    MIN_BLOCKS = { 1, 2, 3 },
}
local lda = "(K + (PAD and 1 or 0))"
-- Of the epilogue: C, D, bias, residual and scales; A and weights are others.
local ended = table.move(gemm.operands(choice), 3, 8, 1, {})

return hone.kernel {
    name     = "gemm_w4a16",
    template = "gemm_w4a16.cu",
    problem  = problem,
    defines  = {
        "TYPE", "OUT", "ZEROS", "ACT", "BIAS", "SCALE", "RESIDUAL", "EPILOGUE",
    },
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
    args     = gemm.join({
        hone.input("A", choice.input, "max(1, M * " .. lda .. ")"),
        hone.input("weights", "u32", "max(1, K * N // 8)",
                   { fill = "integers", low = 0, high = 2^32 - 1 }),
        hone.input("scales", choice.input, "max(1, K // 128 * N)"),
        hone.input("zeros", "u32", "ZEROS and max(1, K // 128 * N // 8) or 1",
                   { fill = "integers", low = 0, high = 2^32 - 1 }),
    }, ended, {
        hone.workspace("partials", "f32",
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a tile, of the smallest tiles.
        hone.inout("counters", "u32", "ceil_div(M, 16) * ceil_div(N, 32)",
                   { fill = "zero" }),
        hone.i32("M"), hone.i32("N"), hone.i32("K"), hone.i32("lda", lda),
        hone.i32("ldc", gemm.ldc), hone.i32("ldd", gemm.ldd),
        hone.f32("alpha", "ADD_C and 1.5 or 1"), hone.f32("beta", "ADD_C and 0.5 or 0"),
    }),
    reference = {
        template = "reference/gemm_w4a16.cu", entry = "gemm_w4a16_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Whole and cut tiles in aligned rows, and a group that shares cut; rows of odd
    -- lengths; so deep that each ring wraps; nearly nothing.
    verify   = {
        { M = 136, N = 272, K = 384 }, { M = 65, N = 80, K = 128, PAD = true },
        { M = 3, N = 16, K = gemm.wrapping_depth(tune, 1) },
        { M = 1, N = 16, K = 0 },
    },
    -- As gemm's, of products of at most 8 times as much, or 15 times.
    tolerance = {
        relative = gemm.tolerance(choice).relative,
        absolute = "(ZEROS and 15 or 8) * 2^-22 * max(K, 8)",
    },
    -- Weights once; of each group and column a scale, and half a byte.
    work     = {
        flops = "2 * M * N * K",
        bytes = "K * N // 2 + K // 128 * N * (ZEROS and 5 or 4) // 2 + 2 * M * (K + N)",
    },
}
