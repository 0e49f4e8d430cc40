-- All-pairs gravity: threads a block, bodies a thread, sources in shared memory and how
-- they lie there, unrolling. LAYOUT says how bodies lie in memory. See
-- docs/templates/nbody.md.
local hone = require "hone"

local LAYOUT = hone.choice("LAYOUT", { "aos", "soa" })

return hone.kernel {
    name     = "nbody",
    template = "nbody.cu",
    problem  = { LAYOUT = LAYOUT, N = 65536 },
    defines  = { "LAYOUT" },
    tune     = {
        BLOCK = { 32, 64, 128, 256, 512, 1024 }, BODIES = { 1, 2, 3, 4, 6, 8 },
        TILE = { 128, 256, 512, 1024, 2048 }, UNROLL = { 1, 2, 4, 8, 16, 32 },
        SHARED = { 0, 1 }, PLANES = { 0, 1 }, VEC = { 1, 2, 4 },
        MIN_BLOCKS = { 1, 2, 4, 8 },
    },
    derive   = {
        -- Places, sums and what is between, a body; sources; addresses.
        REGS = "10 * BODIES + 4 * VEC + 14",
        STATIC_SHARED = "SHARED * 16 * TILE",
    },
    where    = {
        "BLOCK <= device.max_threads_per_block",
        "UNROLL % VEC == 0",
        "SHARED == 1 or TILE == 128 and PLANES == 0",
        -- Records are read one by one.
        "VEC == 1 or PLANES == 1 or SHARED == 0 and LAYOUT == 'soa'",
        -- MIN_BLOCKS blocks must fit a multiprocessor.
        "MIN_BLOCKS * BLOCK <= device.max_threads_per_sm",
        "MIN_BLOCKS * (STATIC_SHARED + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * BLOCK * REGS <= device.registers_per_sm",
    },
    default  = {
        BLOCK = 128, BODIES = 2, TILE = 512, UNROLL = 8, SHARED = 1, PLANES = 0, VEC = 1,
        MIN_BLOCKS = 4,
    },
    launch   = { grid = { "ceil_div(N, BLOCK * BODIES)" }, block = { "BLOCK" } },
    args     = {
        hone.input("bodies", "f32", "4 * N"), hone.output("acc", "f32", "3 * N"),
        hone.i32("N"), hone.f32("softening2", "0.01"),
    },
    reference = {
        template = "reference/nbody.cu", entry = "nbody_reference",
        launch = { grid = { "ceil_div(N, 128)" }, block = { 128 } },
    },
    -- Whole tiles and blocks of most sizes; nothing whole; a body by itself.
    verify   = { { N = 512 }, { N = 709 }, { N = 1 }, { N = hone.range(1, 300) } },
    -- Masses are up to 1 and distances softened by 0.1: a term is at most 38, of bodies
    -- at random in a cube of side 2 mostly about 1. Each is wrong by some 8 * 2^-24 of
    -- itself (rsqrt 2, its cube and products 6) and each addition by 2^-24 of the sum,
    -- which grows as sqrt(N) does: 2^-20 for each of N terms is thrice what they add up
    -- to at worst, and a thousandth of a lost one.
    tolerance = { absolute = "2^-20 * N", relative = "2^-22" },
    work     = { flops = "20 * N * N", bytes = "28 * N" },
}
