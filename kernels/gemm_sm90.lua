-- Matrix product on the tensor cores of sm_90a by wgmma: tiles by tensor map into a ring,
-- warp groups that multiply together or in turns, a persistent grid. What is computed is
-- chosen by --set: TYPE, OUT, TRANS_A, TRANS_B and the epilogue. See
-- docs/templates/gemm_sm90.md.
local hone = require "hone"
local gemm = require "common.gemm"
local sm90 = require "common.gemm_sm90"

local choice = sm90.choose { "map", "direct" }
local tune = sm90.tune()
local derive = sm90.derive(choice, "(SPLIT_K > 1 and 58 or STREAM == 1 and 74 or 32)")
local default = sm90.default(choice)
tune.SPLIT_K, default.SPLIT_K = { 1, 2, 4, 8 }, 1
tune.STREAM, default.STREAM = { 0, 1 }, 0
if choice.direct then -- of few rows, whose tiles may be small
    tune.SWAP, tune.BN = { 0, 1 }, gemm.join({ 16, 32, 48 }, hone.range(64, 256, 16))
    default.SWAP = 0
else
    derive.SWAP = "0"
end
derive.HIGH = "ceil_div(SWAP == 1 and N or M, BM)" -- tiles
derive.WIDE = "ceil_div(SWAP == 1 and M or N, BN)"
derive.TILES = "HIGH * WIDE"
derive.CLUSTERS = "ceil_div(HIGH, CLUSTER_M) * ceil_div(WIDE, CLUSTER_N)" -- of tiles
derive.ROOM = "max(1, BLOCKS // CLUSTER)" -- for clusters of blocks
derive.GRID = "(STREAM == 1 and ROOM or min(CLUSTERS * SPLIT_K, ROOM)) * CLUSTER"

return hone.kernel {
    name     = "gemm_sm90",
    template = "gemm_sm90.cu",
    problem  = sm90.problem(choice, { M = 4096, N = 4096, K = 4096 }),
    defines  = sm90.defines,
    tune     = tune,
    derive   = derive,
    where    = gemm.join(sm90.where(choice), {
        "STREAM == 0 or SPLIT_K == 1",
        "STREAM == 0 or K <= 2^27", -- stages are counted in 32 bits
    }),
    default  = default,
    launch   = {
        grid = "GRID",
        block = "THREADS", shared = "SMEM", cluster = "CLUSTER",
    },
    args     = gemm.join(gemm.operands(choice, nil, nil, nil, sm90.maps(choice)), {
        hone.workspace("partials", "f32",
                       "STREAM == 1 and 2 * GRID * BM * BN or " ..
                           "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a warp group of a tile, of the smallest, and of those that reach past M.
        hone.inout("counters", "u32", "max((ceil_div(M, 64) + 3) * ceil_div(N, 64), " ..
                       "(ceil_div(N, 64) + 3) * ceil_div(M, 16))",
                   { fill = "zero" }),
        hone.i32("M"),
    }, gemm.sizes(choice.OUT, choice.strides)),
    reference = {
        template = "reference/gemm_sm90.cu", entry = "gemm_sm90_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Blocks with many tiles, whole and cut, in rows of just their columns, of which runs
    -- that are streamed end in their second tile; few columns of their panels; tiles one
    -- after another so deep that each ring wraps in each, so that a group whose turn it
    -- is not would find a stage's phase before; nearly nothing.
    verify   = {
        { M = 264, N = 352, K = 272, SMS = 4 },
        { M = 129, N = 130, K = 66, PAD = true, SMS = 2 },
        { M = 8, N = 520, SMS = 2, K = 13 * (128 // choice.bytes) + 8, PAD = true },
        { M = 1, N = 3, K = 0, PAD = true },
    },
    tolerance = sm90.tolerance(choice),
    work     = {
        flops = "2 * M * N * K",
        bytes = gemm.bytes(choice),
    },
}
