-- Every key of hone.kernel once; the test reads the definition back field by field.
local hone = require "hone"
local tiles = require "tiles"

return hone.kernel {
    name     = "gemm",
    template = "gemm.cu",
    entry    = "gemm_kernel",
    problem  = { N = 96, M = 64, K = 32, alpha = 1.5, beta_zero = true, layout = "row" },
    tune     = {
        TILE = tiles.square(hone), ALPHA = { 1, 0.5 }, FAST = { false, true },
        TYPE = { "float", "double" },
    },
    derive   = { THREADS = "TILE * 16", BYTES = "THREADS * 4" },
    where    = {
        "THREADS <= device.max_threads_per_block",
        hone.fn({ "TILE", "FAST" }, function(TILE, FAST) return FAST or TILE < 48 end),
        hone.fn({ "TILE" }, function(TILE)
            return TILE ~= 1
        end),
    },
    default  = { TILE = 16, ALPHA = 1, FAST = true, TYPE = "float" },
    launch   = {
        grid = { "ceil_div(N, TILE)", "ceil_div(M, TILE)" },
        block = { "TILE", 16 },
        shared = "BYTES", cluster = { "TILE // 16", 1 }, cooperative = true,
    },
    args     = {
        hone.input("A", "bf16", "M * K"),
        hone.inout("C", "f32", "M * N", { fill = "zero", tolerance = { mean = "2 * K" } }),
        hone.output("D", "i64", "M"),
        hone.i32("M"),
        hone.f64("scale", "alpha * 2"), hone.workspace("room", "u32", "TILE * M"),
    },
    reference = {
        template = "reference/gemm.cu", entry = "gemm_reference", precision = "f64",
        launch = { grid = { "M", "N" }, block = 1 },
    },
    tolerance = { relative = 1e-5, absolute = "1e-6", scale = "sqrt(K)",
                  mean = "2^-20" },
    work      = { flops = "2 * M * N * K", bytes = "4 * M * N" },
    verify    = { { M = 17, N = 5, K = 3 }, { M = 33 } },
    defines   = { "K", "layout" },
    options   = { "--use_fast_math" },
    waive     = {
        { finding = "race", at = "templates/gemm.cu:12", reason = "either will do" },
        {
            finding = "unwritten",
            buffer = "room",
            reason = "nobody reads it",
        },
    },
}
