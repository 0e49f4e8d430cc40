-- Sum of N floats in one launch: threads a block, blocks a multiprocessor, loads in
-- flight and their width, shuffles against shared memory. See
-- docs/templates/reduction.md.
local hone = require "hone"

return hone.kernel {
    name     = "reduction",
    template = "reduction.cu",
    problem  = { N = 67108864 }, -- 256 MiB: more than any L2 holds
    tune     = {
        BLOCK = { 32, 64, 128, 256, 512, 1024 }, BLOCKS_PER_SM = { 1, 2, 4, 8, 16, 32 },
        ITEMS = { 1, 2, 4, 8 }, VEC = { 1, 2, 4 }, SHUFFLE = { 0, 1 },
    },
    derive   = { TILE = "BLOCK * ITEMS * VEC" },
    where    = {
        -- All blocks run at once: a second wave would only add atomic operations.
        "BLOCKS_PER_SM <= device.max_blocks_per_sm",
        "BLOCKS_PER_SM * BLOCK <= device.max_threads_per_sm",
        -- Their registers must hold the loads in flight.
        "(ITEMS * VEC + 16) * BLOCKS_PER_SM * BLOCK <= device.registers_per_sm",
    },
    default  = { BLOCK = 256, BLOCKS_PER_SM = 4, ITEMS = 4, VEC = 4, SHUFFLE = 1 },
    launch   = {
        grid = { "min(ceil_div(N, TILE), BLOCKS_PER_SM * device.sm_count)" },
        block = { "BLOCK" },
    },
    args     = {
        hone.input("in", "f32", "N"), hone.inout("out", "f32", 1, { fill = "zero" }),
        hone.i64("N"),
    },
    reference = {
        template = "reference/reduction.cu", entry = "reduction_reference",
        launch = { grid = { 1 }, block = { 256 } },
    },
    -- Small enough that one lost element shows; the second ends within a tile and a pack.
    verify   = { { N = 65536 }, { N = 100003 } },
    -- N uniform numbers of [-1, 1] summed in chains of c additions: the error has a
    -- standard deviation of about 2^-24 * sqrt(N * c / 18). c is a thread's tiles, then
    -- 10 levels in a block, then the blocks: 16000 at worst here, so six deviations are
    -- 1.1e-5 * sqrt(N).
    tolerance = { absolute = 1.1e-5, scale = "sqrt(N)" },
    work     = { flops = "N", bytes = "4 * N" },
}
