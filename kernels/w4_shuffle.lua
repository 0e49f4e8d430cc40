-- Weights of 4 bits into the order in which gemm_w4a16 takes them: threads a block, units
-- a warp. See docs/templates/w4_shuffle.md.
local hone = require "hone"

return hone.kernel {
    name     = "w4_shuffle",
    template = "w4_shuffle.cu",
    problem  = { K = 4096, N = 4096 },
    tune     = {
        BLOCK = { 32, 64, 128, 256, 512, 1024 }, UNITS = { 1, 2, 4, 8 },
    },
    derive   = {
        STATIC_SHARED = "16 * BLOCK",
        REGS = "4 * UNITS + 28",
    },
    where    = {
        "N % 16 == 0 or 'N: a multiple of 16, else columns of zeros behind W' == ''",
        "K % 64 == 0 or 'K: a multiple of 64, else zeros behind W' == ''",
        "device.cc_major >= 8",
        "BLOCK <= device.max_threads_per_block",
        "BLOCK * REGS <= device.registers_per_sm",
    },
    default  = { BLOCK = 256, UNITS = 4 },
    launch   = {
        grid = { "max(1, ceil_div(K * N, 32 * BLOCK * UNITS))" }, block = { "BLOCK" },
    },
    args     = {
        hone.input("plain", "u32", "max(1, K * N // 8)",
                   { fill = "integers", low = 0, high = 2^32 - 1 }),
        hone.inout("shuffled", "u32", "max(1, K * N // 8)"),
        hone.i32("K"), hone.i32("N"),
    },
    reference = {
        template = "reference/w4_shuffle.cu", entry = "w4_shuffle_reference",
        launch = { grid = { "max(1, ceil_div(K * N, 2048))" }, block = { 256 } },
    },
    -- Warps with all of their units, and the last with some; one unit; none.
    verify   = { { K = 192, N = 336 }, { K = 64, N = 16 }, { K = 0, N = 32 } },
    tolerance = { relative = 0, absolute = 0 },
    work     = { flops = "0", bytes = "K * N" },
}
