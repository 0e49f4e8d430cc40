-- Many products of one size on tensor cores, one after another in memory or, with
-- --set POINTERS=true, wherever arrays of pointers say.
-- See docs/templates/gemm_batched.md.
local hone = require "hone"
local gemm = require "common.gemm"

local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                           { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" })
local POINTERS = hone.choice("POINTERS", { "false", "true" }) == "true"
local base = gemm.on_tensor_cores(choice)

local strides = POINTERS and {} or {
    hone.i64("stride_a", "(TRANS_A and K or M) * (" .. gemm.lda .. ")"),
    hone.i64("stride_b", "(TRANS_B and N or K) * (" .. gemm.ldb .. ")"),
    hone.i64("stride_c", "M * (" .. gemm.ldc .. ")"),
    hone.i64("stride_d", "M * (" .. gemm.ldd .. ")"),
}

return hone.kernel {
    name     = "gemm_batched",
    template = "gemm_batched.cu",
    -- Scores of 32 heads.
    problem  = gemm.problem(choice, {
        M = 1024, N = 1024, K = 128, BATCH = 32, POINTERS = POINTERS,
    }),
    defines  = gemm.join(gemm.defines, { "POINTERS" }),
    tune     = base.tune,
    derive   = base.derive,
    where    = base.where,
    default  = base.default,
    launch   = {
        grid = { "ceil_div(M, BM) * ceil_div(N, BN)", 1, "BATCH" },
        block = { "THREADS" }, shared = "SMEM",
    },
    args     = gemm.join(gemm.operands(choice, "BATCH", nil, POINTERS and "BATCH" or nil),
                         { hone.i32("M") }, gemm.sizes(), strides),
    reference = {
        template = "reference/gemm_batched.cu", entry = "gemm_batched_reference",
        launch = {
            grid = { "ceil_div(N, 32)", "ceil_div(M, 8)", "BATCH" }, block = { 32, 8 },
        },
    },
    -- Whole and cut tiles in aligned rows, so many along k that each ring wraps; those of
    -- one operand alone aligned, which end within 16 bytes; nearly nothing.
    verify   = {
        { M = 136, N = 200, K = gemm.wrapping_depth(base.tune, choice.bytes), BATCH = 2 },
        { M = 67, N = 66, K = 34, PAD = true, ALIGN_AC = true, BATCH = 2 },
        { M = 67, N = 66, K = 34, PAD = true, ALIGN_BD = true, BATCH = 2 },
        { M = 1, N = 3, K = 0, BATCH = 2 },
    },
    tolerance = gemm.tolerance(choice),
    work     = {
        flops = "2 * M * N * K * BATCH", bytes = "BATCH * (" .. gemm.bytes(choice) .. ")",
    },
}
