-- Products of contiguous groups of rows, each with a matrix of its own, on tensor cores:
-- the experts of a mixture. See docs/templates/gemm_grouped.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                           { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" })
local base = gemm.on_tensor_cores(choice, { WM = 64, WN = 32 })

base.where = gemm.join(base.where, { "not TRANS_A", "M >= 8 * UNIT * GROUPS" })

return hone.kernel {
    name     = "gemm_grouped",
    template = "gemm_grouped.cu",
    -- Verifying and timing take groups of 0 to 8 times UNIT rows, at random; M is what
    -- there is room for.
    problem  = gemm.problem(choice, {
        M = 8192, N = 4096, K = 7168, GROUPS = 8, UNIT = 128,
    }),
    defines  = gemm.defines,
    tune     = base.tune,
    derive   = base.derive,
    where    = base.where,
    default  = base.default,
    launch   = {
        grid = { "round_up(ceil_div(M, BM) + GROUPS, GROUP_M) * ceil_div(N, BN)" },
        block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(gemm.operands(choice, "1", "GROUPS"), {
        hone.input("sizes", "u32", "GROUPS"), hone.i32("unit", "UNIT"),
        hone.i32("groups", "GROUPS"),
    }, gemm.sizes(), {
        hone.i64("stride_b", "(TRANS_B and N or K) * (" .. gemm.ldb .. ")"),
    }),
    reference = {
        template = "reference/gemm_grouped.cu", entry = "gemm_grouped_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Groups of several tiles, so many along k that each ring wraps; of one and of parts,
    -- only A's rows aligned, then B's, which end within 16 bytes; more groups than a warp
    -- has lanes, of nearly nothing.
    verify   = {
        {
            M = 1184, N = 136, K = gemm.wrapping_depth(base.tune, choice.bytes),
            GROUPS = 4, UNIT = 37,
        },
        { M = 360, N = 74, K = 68, PAD = true, ALIGN_AC = true, GROUPS = 3, UNIT = 15 },
        { M = 360, N = 74, K = 68, PAD = true, ALIGN_BD = true, GROUPS = 3, UNIT = 15 },
        { M = 320, N = 3, K = 1, GROUPS = 40, UNIT = 1 },
    },
    tolerance = gemm.tolerance(choice),
    -- Half of M on average. Of B at least half, as a group may have no row, and a time
    -- below that of the bytes is told as implausible.
    work     = {
        flops = "M * N * K", bytes = gemm.bytes(choice, "(M // 2)", "(GROUPS // 2)"),
    },
}
