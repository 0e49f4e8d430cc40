-- Matrix product on tensor cores by mma.sync: block and warp tiles, stages of cp.async,
-- register pipelining, order of blocks, split-K. What is computed is chosen by --set:
-- TYPE, OUT, TRANS_A, TRANS_B and the epilogue. See docs/templates/gemm_mma.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                           { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" })

return hone.kernel {
    name     = "gemm_mma",
    template = "gemm_mma.cu",
    problem  = gemm.problem(choice, { M = 4096, N = 4096, K = 4096 }),
    defines  = gemm.defines,
    tune     = {
        BM = { 16, 32, 64, 96, 128, 192, 256 }, BN = { 32, 64, 96, 128, 192, 256 },
        BK = { 32, 64, 128 }, -- bytes
        WM = { 16, 32, 48, 64, 96, 128 }, WN = { 16, 32, 48, 64, 96, 128 },
        STAGES = hone.range(2, 6), REGPIPE = { 1, 2 }, GROUP_M = { 1, 4, 8, 16 },
        STAGE_D = { 0, 1 }, PREFETCH = { 0, 128, 256 }, MIN_BLOCKS = { 1, 2, 3 },
        SPLIT_K = { 1, 2, 4, 8 },
    },
    derive   = {
        THREADS = "32 * (BM // WM) * (BN // WN)",
        STAGING = "STAGE_D * THREADS * 2 * (WN + 8)",
        SMEM    = "max(STAGES * (BM + BN) * BK, STAGING)",
        -- Sums, fragments, and some for addresses and counters.
        REGS    = "WM * WN // 32 + REGPIPE * (WM + WN) // 4 + 40",
        TILES   = "ceil_div(M, BM) * ceil_div(N, BN)",
    },
    where    = gemm.where,
    default  = {
        BM = 128, BN = 128, BK = 64, WM = 64, WN = 64, STAGES = 4, REGPIPE = 2,
        GROUP_M = 8, STAGE_D = 1, PREFETCH = 128, MIN_BLOCKS = 1, SPLIT_K = 1,
    },
    launch   = {
        grid = { "TILES", "SPLIT_K" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(gemm.operands(choice), {
        hone.workspace("partials", "f32",
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a tile, of the smallest tiles.
        hone.inout("counters", "u32", "ceil_div(M, 16) * ceil_div(N, 32)",
                   { fill = "zero" }),
    }, gemm.sizes()),
    reference = {
        template = "reference/gemm_mma.cu", entry = "gemm_mma_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Whole and cut tiles in aligned rows; nothing whole or aligned; nearly nothing.
    verify   = {
        { M = 264, N = 328, K = 208 }, { M = 129, N = 131, K = 67, PAD = 1 },
        { M = 1, N = 3, K = 0 },
    },
    tolerance = gemm.tolerance(choice),
    work     = {
        flops = "2 * M * N * K",
        bytes = gemm.bytes(choice),
    },
}
