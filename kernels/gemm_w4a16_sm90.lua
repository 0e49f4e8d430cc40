-- Matrix product with weights of 4 bits on the tensor cores of sm_90a by wgmma: weights
-- in registers, rows of A in shared memory, tiles by tensor map into a ring. What is
-- computed is chosen by --set: TYPE, OUT, ZEROS and the epilogue. Weights come from
-- w4_shuffle.lua. See docs/templates/gemm_w4a16_sm90.md.
local hone = require "hone"
local gemm = require "common.gemm"
local w4 = require "common.w4"

local choice = w4.choose()
local zeros = hone.choice("ZEROS", { "false", "true" }) == "true"
local lda = "(K + (PAD and 8 or 0))"

return hone.kernel {
    name     = "gemm_w4a16_sm90",
    template = "gemm_w4a16_sm90.cu",
    -- SMS: multiprocessors that it may use; 0: all
    problem  = w4.problem(choice, { ZEROS = zeros, SMS = 0 }),
    defines  = w4.defines,
    tune     = {
        BM = gemm.join({ 8 }, hone.range(16, 144, 16)), BN = { 64, 128, 192, 256 },
        MATH = { 1, 2, 3 }, SPLIT_K = { 1, 2, 4, 8 }, STREAM = { 0, 1 },
        GROUP = { 1, 4, 8 }, RASTER = { 0, 1 },
    },
    derive   = {
        PIECES  = "BN // MATH // 64", -- of a warp group's columns
        HIGH    = "ceil_div(M, BM)", -- tiles
        WIDE    = "ceil_div(N, BN)",
        TILES   = "HIGH * WIDE",
        BLOCKS  = "SMS > 0 and SMS or device.sm_count",
        GRID    = "STREAM == 1 and BLOCKS or min(TILES * SPLIT_K, BLOCKS)",
        THREADS = "128 * (MATH + 1)",
        -- Rows of A, weights, scales and zero points.
        STAGE   = "ceil_div(256 * BM + 66 * BN + (ZEROS and BN // 2 or 0), 1024) * 1024",
        STAGING = "MATH * 5120",
        STAGES  = "min(12, (device.max_shared_bytes - STAGING) // (STAGE + 16))",
        SMEM    = "STAGES * (STAGE + 16) + STAGING",
        -- Sums, those of a group, two halves of its weights, and the others.
        REGS    = "BM // 2 * (PIECES + 1) + 32 + 4 * PIECES + 44",
    },
    where    = {
        "device.cc_major == 9 or 'sm_90 only: use gemm_w4a16' == ''",
        "N % 16 == 0 or 'N: a multiple of 16, else columns of zeros behind W' == ''",
        "not ZEROS or N % 32 == 0 or " ..
            "'N: with ZEROS a multiple of 32, else use gemm_w4a16' == ''",
        "K % 128 == 0 or 'K: a multiple of 128, else zeros behind A and W' == ''",
        "BN == MATH * 64 * PIECES and PIECES >= 1 and PIECES <= (MATH == 1 and 1 or 2)",
        "STREAM == 0 or SPLIT_K == 1",
        "STREAM == 0 or K <= 2^27", -- stages are counted in 32 bits
        "REGS <= (MATH == 3 and 160 or 224)",
        "STAGES >= 3",
    },
    default  = {
        BM = 16, BN = 128, MATH = 2, SPLIT_K = 4, STREAM = 0, GROUP = 8, RASTER = 0,
    },
    launch   = { grid = "GRID", block = "THREADS", shared = "SMEM" },
    args     = gemm.join(w4.operands(choice, lda, {
        A = {
            size = { "max(1, K)", "M" }, box = { "64", "BM" }, stride = { lda },
            swizzle = 128, promotion = 256,
        },
        weights = {
            size = { "K > 0 and 128 or 1", "K > 0 and N // 16 or 1", "max(1, K // 64)" },
            box = { "128", "BN // 16", "2" }, stride = { "128", "N * 8" },
            promotion = 256,
        },
        scales = {
            size = { "K > 0 and N or 1", "max(1, K // 128)" }, box = { "BN", "1" },
            stride = { "N" },
        },
        zeros = zeros and {
            size = { "K > 0 and N // 8 or 1", "max(1, K // 128)" },
            box = { "BN // 8", "1" }, stride = { "N // 8" },
        } or nil,
    }), {
        hone.workspace("partials", "f32",
                       "STREAM == 1 and 2 * GRID * BM * BN or " ..
                           "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a warp group of a tile, of the smallest, and of those that reach past N.
        hone.inout("counters", "u32", "ceil_div(M, 8) * (ceil_div(N, 64) + 3)",
                   { fill = "zero" }),
    }, w4.sizes(lda)),
    reference = w4.reference,
    -- Blocks with many tiles, whole and cut; padded rows; so deep that each ring wraps,
    -- in shares that its splits cut; nearly nothing.
    verify   = {
        { M = 136, N = 352, K = 384, SMS = 4 },
        { M = 65, N = 96, K = 128, PAD = true, SMS = 2 },
        { M = 3, N = 288, K = 13 * 128, SMS = 2 },
        { M = 1, N = 32, K = 0, PAD = true },
    },
    tolerance = w4.tolerance(choice),
    work     = w4.work,
}
