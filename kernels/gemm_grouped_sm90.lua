-- Products of groups of rows, each with a matrix of its own, by warp groups of sm_90a:
-- the experts of a mixture, whose sizes the device knows. Rows are packed, or with --set
-- LAYOUT=masked each group has as much room. See docs/templates/gemm_grouped_sm90.md.
local hone = require "hone"
local gemm = require "common.gemm"
local sm90 = require "common.gemm_sm90"

local choice = sm90.choose { "direct", "map" }
choice.groups = "GROUPS"
local LAYOUT = hone.choice("LAYOUT", { "contiguous", "masked" })
local derive = sm90.derive(choice, "40")
derive.SWAP = "0"
-- The most clusters of tiles that any sizes need.
derive.CLUSTERS = "(ceil_div(M, BM * CLUSTER_M) + GROUPS) * " ..
    "ceil_div(ceil_div(N, BN), CLUSTER_N)"

return hone.kernel {
    name     = "gemm_grouped_sm90",
    template = "gemm_grouped_sm90.cu",
    -- Verifying and timing take groups of 0 to 8 times UNIT rows, at random; M is what
    -- there is room for, of all groups.
    problem  = sm90.problem(choice, {
        M = 8192, N = 4096, K = 7168, GROUPS = 8, UNIT = 128, LAYOUT = LAYOUT,
    }),
    defines  = sm90.defines,
    tune     = sm90.tune(),
    derive   = derive,
    where    = gemm.join(sm90.where(choice), {
        "not TRANS_A or 'rows of A must be contiguous: no TRANS_A' == ''",
        "M >= 8 * UNIT * GROUPS",
        "LAYOUT ~= 'masked' or M % GROUPS == 0",
        "STORE == 'direct' or UNIT % 64 == 0 or " ..
            "'sizes of groups are multiples of 64 rows: --set STORE=direct' == ''",
    }),
    default  = sm90.default(choice),
    launch   = {
        grid = "min(CLUSTERS, max(1, BLOCKS // CLUSTER)) * CLUSTER",
        block = "THREADS", shared = "SMEM", cluster = "CLUSTER",
    },
    args     = gemm.join(
        gemm.operands(choice, nil, "GROUPS", nil, sm90.maps(choice, "GROUPS")), {
            hone.input("sizes", "u32", "GROUPS"), hone.i32("unit", "UNIT"),
            hone.i32("groups", "GROUPS"),
            hone.i32("room", "LAYOUT == 'masked' and M // GROUPS or 0"), hone.i32("M"),
        }, gemm.sizes(choice.OUT, choice.strides)),
    reference = {
        template = "reference/gemm_grouped_sm90.cu",
        entry = "gemm_grouped_sm90_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Groups of several tiles and of parts of one; rows of more bytes than need be; so
    -- deep that each ring wraps in each tile; more groups than a warp has lanes, of
    -- nearly nothing; sums of nothing.
    verify   = choice.direct and {
        { M = 736, N = 296, K = 208, GROUPS = 4, UNIT = 23, SMS = 3 },
        { M = 360, N = 130, K = 66, PAD = true, GROUPS = 9, UNIT = 5, SMS = 2 },
        {
            M = 16, N = 264, K = 13 * (128 // choice.bytes) + 8, PAD = true, GROUPS = 2,
            UNIT = 1, SMS = 2,
        },
        { M = 320, N = 3, K = 1, PAD = true, GROUPS = 40, UNIT = 1, SMS = 4 },
        { M = 16, N = 9, K = 0, PAD = true, GROUPS = 1, UNIT = 2, SMS = 1 },
    } or {
        { M = 1024, N = 296, K = 80, GROUPS = 2, UNIT = 64, SMS = 3 },
        { M = 512, N = 130, K = 0, PAD = true, GROUPS = 1, UNIT = 64, SMS = 1 },
    },
    tolerance = sm90.tolerance(choice),
    -- Half of M on average. Of B at least half, as a group may have no row, and a time
    -- below that of the bytes is told as implausible.
    work     = {
        flops = "M * N * K", bytes = gemm.bytes(choice, "(M // 2)", "(GROUPS // 2)"),
    },
}
