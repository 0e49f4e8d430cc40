-- Matrix product in fp32 on the CUDA cores, or with --set TYPE=f64 in fp64: block, warp
-- and thread tiles, stages in shared memory, order of blocks, width of global accesses.
-- See docs/templates/sgemm.md.
local hone = require "hone"
local gemm = require "common.gemm"
local rows = require "common.rows"

local TYPE = hone.choice("TYPE", { "f32", "f64" })
local choice =
    gemm.choose({ TYPE }, TYPE == "f64" and { "f64" } or { "f32", "bf16", "f16" })
local words = choice.bytes // 4 -- of an element: registers, and what an access holds

local tune = {
    BM = { 32, 64, 128, 256 }, BN = { 32, 64, 128, 256 }, BK = { 8, 16, 32 },
    WM = { 16, 32, 64, 128 }, WN = { 16, 32, 64, 128 },
    TM = hone.pow2(4 // words, 16 // words), TN = hone.pow2(4 // words, 16 // words),
    ASYNC = { 0, 1 }, STAGES = hone.range(1, 4), GROUP_M = { 1, 4, 8, 16 },
    VEC = hone.pow2(1, 4 // words),
    MIN_BLOCKS = { 1, 2 }, SPLIT_K = { 1, 2, 4, 8 },
    LOAD = { 1, 2 }, PREFETCH = { 0, 128, 256 },
}

return hone.kernel {
    name     = "sgemm",
    template = "sgemm.cu",
    problem  = gemm.problem(choice, {
        M = 4096, N = 4096, K = 4096, TRANS_B = false,
    }),
    defines  = { "TYPE", "OUT", "ACT", "BIAS", "SCALE", "RESIDUAL", "EPILOGUE" },
    tune     = tune,
    derive   = {
        THREADS = "32 * (BM // WM) * (BN // WN)",
        -- Against bank conflicts, as in the template.
        SKEW    = ("max(%d, %d * VEC // BK)"):format(4 // words, 32 // words),
        SMEM    = choice.bytes .. " * STAGES * (BK * BM + BK // VEC * SKEW + BK * BN)",
        -- What a thread must hold whatever the compiler does: sums, two sets of
        -- fragments, the tile in flight, and 16 for addresses and counters.
        REGS    = words .. " * (TM * TN + 2 * (TM + TN)"
            .. " + (1 - ASYNC) * (BM + BN) * BK // THREADS) + 16",
        TILES   = "ceil_div(M, BM) * ceil_div(N, BN)",
    },
    where    = rows.where(TYPE, choice.OUT, {
        "not TRANS_A and not TRANS_B",
        "ASYNC == 0 or LOAD == 1",
        "ASYNC == 0 or device.cc_major >= 8",
        rows.hints.where.prefetch,
        "1 + ASYNC <= STAGES and STAGES <= 3 + ASYNC",
        "BM % WM == 0 and BN % WN == 0",
        "WM % TM == 0 and WN % TN == 0",
        "(WM // TM) * (WN // TN) == 32", -- a warp tile is 32 thread tiles
        "THREADS >= 64 and THREADS <= device.max_threads_per_block",
        "BM * BK % (THREADS * VEC) == 0 and BN * BK % (THREADS * VEC) == 0",
        -- More spill for certain and compile for seconds.
        "TM * TN <= " .. 128 // words,
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        -- MIN_BLOCKS blocks must fit a multiprocessor.
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    }),
    default  = words == 2 and {
        BM = 128, BN = 64, BK = 8, WM = 32, WN = 32, TM = 8, TN = 4,
        STAGES = 2, GROUP_M = 8, VEC = 2, MIN_BLOCKS = 1, ASYNC = 0, SPLIT_K = 1,
        LOAD = 1, PREFETCH = 0,
    } or {
        BM = 128, BN = 128, BK = 8, WM = 64, WN = 32, TM = 8, TN = 8,
        STAGES = 2, GROUP_M = 8, VEC = 4, MIN_BLOCKS = 2, ASYNC = 0, SPLIT_K = 1,
        LOAD = 1, PREFETCH = 0,
    },
    launch   = {
        grid = { "TILES", "SPLIT_K" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(gemm.operands(choice), {
        hone.workspace("partials", choice.input,
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a tile, of the smallest tiles.
        hone.inout("counters", "u32", "ceil_div(M, 32) * ceil_div(N, 32)",
                   { fill = "zero" }),
        hone.i32("M"),
    }, gemm.sizes(choice.OUT)),
    reference = {
        template = "reference/gemm.cu", entry = "gemm_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- 256 is a multiple of every tile and wakes the vector path; the next cuts every tile
    -- in each direction, the third in one, and only rows of A and C, then of B and D are
    -- aligned, which end within a vector; then aligned rows that end within a tile, so
    -- deep that each ring of stages wraps; the last has no k at all.
    verify   = {
        { M = 256, N = 256, K = 96 },
        { M = 129, N = 130, K = 35, PAD = true, ALIGN_AC = true },
        { M = 128, N = 133, K = 36, PAD = true, ALIGN_BD = true },
        { M = 8, N = 40, K = gemm.wrapping_depth(tune, 1) + 4 }, { M = 1, N = 3, K = 0 },
    },
    -- Template and reference add the same products with fmaf in the same order, k = 0, 1,
    -- ... Equal steps round equally, so sums must agree in every bit; split sums do not.
    tolerance = gemm.tolerance(choice, "(SPLIT_K == 1 and ACT == 'none' and "
        .. "SCALE == 'none' and BIAS == 'none' and not RESIDUAL and not ADD_C and "
        .. "EPILOGUE == '')"),
    work     = { flops = "2 * M * N * K", bytes = gemm.bytes(choice) },
}
