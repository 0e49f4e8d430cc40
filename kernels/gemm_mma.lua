-- Matrix product on tensor cores by mma.sync: block and warp tiles, stages of cp.async,
-- register pipelining, order of blocks, split-K. What is computed is chosen by --set:
-- TYPE, OUT, TRANS_A, TRANS_B and the epilogue. See docs/templates/gemm_mma.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                           { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" })
local base = gemm.on_tensor_cores(choice, { SPLIT_K = 1 })
base.tune.SPLIT_K = { 1, 2, 4, 8 }
base.derive.TILES = "ceil_div(M, BM) * ceil_div(N, BN)"

return hone.kernel {
    name     = "gemm_mma",
    template = "gemm_mma.cu",
    problem  = gemm.problem(choice, { M = 4096, N = 4096, K = 4096 }),
    defines  = gemm.defines,
    tune     = base.tune,
    derive   = base.derive,
    where    = base.where,
    default  = base.default,
    launch   = {
        grid = { "TILES", "SPLIT_K" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(gemm.operands(choice), {
        hone.workspace("partials", "f32",
                       "SPLIT_K > 1 and TILES * SPLIT_K * BM * BN or 0"),
        -- One a tile, of the smallest tiles.
        hone.inout("counters", "u32", "ceil_div(M, 16) * ceil_div(N, 32)",
                   { fill = "zero" }),
        hone.i32("M"),
    }, gemm.sizes()),
    reference = {
        template = "reference/gemm_mma.cu", entry = "gemm_mma_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Whole and cut tiles in aligned rows; the same where those of one operand alone are,
    -- and end within 16 bytes; so deep that each ring wraps; nearly nothing.
    verify   = {
        { M = 264, N = 296, K = 208 },
        { M = 129, N = 130, K = 66, PAD = true, ALIGN_AC = true },
        { M = 129, N = 130, K = 66, PAD = true, ALIGN_BD = true },
        { M = 8, N = 40, K = gemm.wrapping_depth(base.tune, choice.bytes) },
        { M = 1, N = 3, K = 0 },
    },
    tolerance = gemm.tolerance(choice),
    work     = {
        flops = "2 * M * N * K",
        bytes = gemm.bytes(choice),
    },
}
