-- Matrix product on the tensor cores of sm_90a by wgmma: tiles by tensor map into a ring,
-- warp groups that multiply together or in turns, a persistent grid. What is computed is
-- chosen by --set: TYPE, OUT, TRANS_A, TRANS_B and the epilogue. See
-- docs/templates/gemm_sm90.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                           { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" },
                           gemm.join(gemm.scales, { "block" }))
-- How D leaves: by tensor map, whose rows begin at multiples of 16 bytes, or by the
-- threads.
choice.STORE = hone.choice("STORE", { "map", "direct" })
local direct = choice.STORE == "direct"
-- Whether each 128 of k is added up in fp32.
local block = choice.SCALE == "block"
choice.PROMOTE = hone.choice("PROMOTE", { "false", "true" }) == "true"
local promoted = block or choice.PROMOTE
choice.strides = gemm.strides(16 // choice.bytes, direct and 1 or 16 // choice.out_bytes)

-- Sizes of nothing have a map of one element, beyond which kernels read.
local function map(columns, rows, box, stride)
    return { size = { ("max(1, %s)"):format(columns), ("max(1, %s)"):format(rows) },
             box = box, stride = { stride }, swizzle = 128, promotion = 256 }
end
local depth = tostring(128 // choice.bytes)
local function operand_map(across, outer, lines, share, stride)
    return map(("(%s and %s or K)"):format(across, outer),
               ("(%s and K or %s)"):format(across, outer),
               { depth, ("(%s and %s or %s) // %s"):format(across, depth, lines, share) },
               stride)
end
local maps = {
    A = operand_map("TRANS_A", "M", "BM", "CLUSTER_N", choice.strides.lda),
    B = operand_map("(not TRANS_B)", "N", "BN", "CLUSTER_M", choice.strides.ldb),
    D = not direct and map(gemm.columns, "M", { tostring(128 // choice.out_bytes), "64" },
                           choice.strides.ldd) or nil,
}

local problem = gemm.problem(choice, { M = 4096, N = 4096, K = 4096 })
problem.STORE, problem.PROMOTE = choice.STORE, choice.PROMOTE
problem.SMS = 0 -- multiprocessors that it may use; 0: all

-- Sums of 8-bit floats are kept with about 13 bits by the hardware: all of K, or those of
-- each 128, whose errors are added up.
local tolerance = gemm.tolerance(choice)
if gemm.is_fp8(choice) then
    tolerance.absolute = promoted and
        "2^-13 * 128 * sqrt(ceil_div(max(K, 1), 128)) + 2^-20 * K" or
        "2^-13 * max(K, 8)"
end

return hone.kernel {
    name     = "gemm_sm90",
    template = "gemm_sm90.cu",
    problem  = problem,
    defines  = gemm.join(gemm.defines, { "STORE", "PROMOTE" }),
    tune     = {
        BM = { 64, 128, 192, 256 }, BN = hone.range(64, 256, 16), MATH = { 1, 2, 3 },
        PINGPONG = { 0, 1 }, INFLIGHT = { 0, 1 }, PANELS = { 1, 2, 4 },
        CLUSTER_M = { 1, 2 }, CLUSTER_N = { 1, 2 }, SPLIT_K = { 1, 2, 4, 8 },
        GROUP = { 1, 2, 4, 8, 16 }, RASTER = { 0, 1 },
    },
    derive   = {
        ROWS    = "PINGPONG == 1 and BM or BM // MATH", -- a warp group's
        COLUMNS = "ACT == 'swiglu' and BN // 2 or BN",  -- of D
        STAGED  = "BN % 64 == 0 and 64 or (BN % 48 == 0 and 48 or " ..
            "(BN % 32 == 0 and 32 or 16))",
        STAGING = "MATH * (STORE == 'direct' and 256 * (STAGED + 8) or PANELS * 8192)",
        STAGE   = "(BM + BN) * 128",
        -- As the template counts them, whatever device it is: common/warp_tile.cuh.
        STAGES  = "min(12, (232448 - STAGING) // (STAGE + 16))",
        SMEM    = "STAGES * (STAGE + 16) + STAGING",
        CLUSTER = "CLUSTER_M * CLUSTER_N",
        TILES   = "ceil_div(M, BM) * ceil_div(N, BN)",
        CLUSTERS = "ceil_div(ceil_div(M, BM), CLUSTER_M) * " ..
            "ceil_div(ceil_div(N, BN), CLUSTER_N)", -- of tiles
        BLOCKS  = "SMS > 0 and SMS or device.sm_count",
        THREADS = "128 * (MATH + 1)",
        A_STRIDE = ("(%s) * %d"):format(choice.strides.lda, choice.bytes),
        B_STRIDE = ("(%s) * %d"):format(choice.strides.ldb, choice.bytes),
        D_STRIDE = ("(%s) * %d"):format(choice.strides.ldd, choice.out_bytes),
        -- Sums, those of 64 rows more where they are promoted, and some for addresses and
        -- counters.
        REGS    = ("ROWS * BN // 128 + %s + (SPLIT_K > 1 and 48 or 32)"):format(
            promoted and "BN // 2" or "0"),
    },
    where    = {
        "device.cc_major == 9 or 'sm_90 only: use gemm_mma' == ''",
        "A_STRIDE % 16 == 0 and B_STRIDE % 16 == 0 or " ..
            "'rows of A and B begin at multiples of 16 bytes: use gemm_mma' == ''",
        "STORE == 'direct' or D_STRIDE % 16 == 0 or " ..
            "'rows of D begin at multiples of 16 bytes: --set STORE=direct' == ''",
        "PINGPONG == 0 or MATH == 2",
        ("%s or '8-bit floats alone are promoted or have scales of blocks: " ..
            "--set TYPE=e4m3' == ''"):format(not promoted or gemm.is_fp8(choice)),
        ("%s or INFLIGHT == 0"):format(not promoted),
        ("%s or BN <= 160 or BN == 192"):format(not block), -- two scales
        "ROWS % 64 == 0 and ROWS * (PINGPONG == 1 and 1 or MATH) == BM",
        "REGS <= (MATH == 3 and 160 or 232)",
        -- One product's sums and operands, of the registers that a launch has.
        "MATH < 3 or BN <= 192",
        "TRANS_B or BN % 64 == 0",
        "CLUSTER <= 2",
        ("(not TRANS_A and TRANS_B) or %s or 'k contiguous in A and B, else a " ..
            "transposed copy' == ''"):format(choice.bytes == 2),
        ("STORE == 'direct' or COLUMNS >= %d"):format(128 // choice.out_bytes),
        "STORE == 'map' or PANELS == 2", -- of which there are none
        "STAGES >= 3",
        "SMEM <= device.max_shared_bytes",
    },
    default  = {
        BM = 128, BN = promoted and 160 or 256, MATH = 2, PINGPONG = 0,
        INFLIGHT = promoted and 0 or 1, PANELS = 2,
        CLUSTER_M = 1, CLUSTER_N = 1, SPLIT_K = 1, GROUP = 8, RASTER = 0,
    },
    launch   = {
        grid = "min(CLUSTERS * SPLIT_K, max(1, BLOCKS // CLUSTER)) * CLUSTER",
        block = "THREADS", shared = "SMEM", cluster = "CLUSTER",
    },
    args     = gemm.join(gemm.operands(choice, nil, nil, nil, maps), {
        hone.workspace("partials", "f32",
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a warp group of a tile, of the smallest, and of those that reach past M.
        hone.inout("counters", "u32", "(ceil_div(M, 64) + 3) * ceil_div(N, 64)",
                   { fill = "zero" }),
        hone.i32("M"),
    }, gemm.sizes(choice.OUT, choice.strides)),
    reference = {
        template = "reference/gemm_sm90.cu", entry = "gemm_sm90_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Blocks with many tiles, whole and cut, in rows of just their columns; few columns
    -- of their panels; tiles one after another so deep that each ring wraps in each, so
    -- that a group whose turn it is not would find a stage's phase before; nearly
    -- nothing.
    verify   = {
        { M = 264, N = 352, K = 208, SMS = 3 },
        { M = 129, N = 130, K = 66, PAD = true, SMS = 2 },
        { M = 8, N = 520, SMS = 2, K = 13 * (128 // choice.bytes) + 8, PAD = true },
        { M = 1, N = 3, K = 0, PAD = true },
    },
    tolerance = tolerance,
    work     = {
        flops = "2 * M * N * K",
        bytes = gemm.bytes(choice),
    },
}
