-- Sum, largest element or its place, of an array or of its parts, in one launch: threads
-- a block, blocks a multiprocessor, loads in flight and their width or bulk copies,
-- shuffles against shared memory, atomic operations against the last block, cache hints.
-- Chosen by --set: OP, TYPE, MODE, PARTS, INDEXED. See docs/templates/reduction.md.
local hone = require "hone"
local rows = require "common.rows"

local OP = hone.choice("OP", { "sum", "max", "argmax" })
local TYPE = rows.choose("TYPE", "f32")
local finds = OP == "argmax"
-- accumulate: out takes part; deterministic: the same, and no sum depends on the order in
-- which blocks end; write: out is set.
local MODE = hone.choice("MODE", finds and { "write" }
                         or { "accumulate", "deterministic", "write" })
local atomic = MODE == "accumulate"
local hints = rows.hints.tune

local part = "ceil_div(N, PARTS)"
local bytes = rows.bytes[TYPE]

return hone.kernel {
    name     = "reduction",
    template = "reduction.cu",
    problem  = {
        OP = OP, TYPE = TYPE, MODE = MODE, ACCUMULATE = MODE ~= "write",
        N = 67108864, -- 256 MiB of floats: more than any L2 holds
        PARTS = 1, -- each has a result of its own: the first of two passes
        INDEXED = false, -- places come with the values: the second pass of argmax
        BLOCKS = 0, -- that a part has at most; 0: as many as run at once
    },
    defines  = { "OP", "TYPE", "ACCUMULATE", "INDEXED" },
    tune     = {
        BLOCK = { 32, 64, 128, 256, 512, 1024 }, BLOCKS_PER_SM = { 1, 2, 4, 8, 16, 32 },
        ITEMS = { 1, 2, 4, 8 }, VEC = { 4, 8, 16 }, SHUFFLE = { 0, 1 },
        BULK = { 0, 2, 3, 4 },
        FINISH = atomic and { 0, 1 } or { 1 },
        LOAD = hints.LOAD, PREFETCH = hints.PREFETCH, EVICT = hints.EVICT,
    },
    derive   = {
        PER = ("VEC // %d"):format(bytes), TILE = "BLOCK * ITEMS * PER",
        GRID = "max(1, min(ceil_div(" .. part .. ", TILE), BLOCKS > 0 and BLOCKS or "
            .. "BLOCKS_PER_SM * device.sm_count // PARTS))",
        VALUES = ("%d * (SHUFFLE == 0 and BLOCK or BLOCK > 32 and BLOCK // 32 or 0)")
            :format(finds and 8 or 4),
        -- Dynamic shared memory begins at a multiple of 16.
        STATIC_SHARED = "BULK > 0 and ceil_div(VALUES, 16) * 16 or VALUES",
        -- As in templates/common/bulk_pieces.cuh: a tile and a barrier a stage.
        SMEM = "BULK * (BLOCK * ITEMS * VEC + 8)",
    },
    where    = {
        -- All blocks run at once: a second wave would only add atomic operations.
        "BLOCKS_PER_SM <= device.max_blocks_per_sm",
        "BLOCKS_PER_SM * BLOCK <= device.max_threads_per_sm",
        -- Their registers must hold the loads in flight.
        "(ITEMS * VEC // 4 + 16) * BLOCKS_PER_SM * BLOCK <= device.registers_per_sm",
        rows.hints.where.prefetch,
        rows.hints.where.evict,
        "OP ~= 'max' or device.cc_major >= 8", -- max.NaN
        -- Bulk copies move 16 bytes or more and have none of the hints of loads.
        "BULK == 0 or device.cc_major >= 9 and VEC == 16 and LOAD == 1 "
            .. "and PREFETCH == 0 and EVICT == 0",
        "SMEM + STATIC_SHARED <= device.max_shared_bytes",
        "BLOCKS_PER_SM * (SMEM + STATIC_SHARED + device.reserved_shared_bytes) "
            .. "<= device.shared_bytes_per_sm",
    },
    default  = {
        BLOCK = 256, BLOCKS_PER_SM = 4, ITEMS = 4, VEC = 16, SHUFFLE = 1,
        FINISH = atomic and 0 or 1, LOAD = 1, PREFETCH = 0, EVICT = 0, BULK = 0,
    },
    launch   = { grid = { "GRID", "PARTS" }, block = { "BLOCK" }, shared = "SMEM" },
    args     = {
        hone.input("in", TYPE, "max(1, N)"), hone.inout("out", "f32", "PARTS"),
        hone.i64("N"), hone.i64("part", part),
        hone.inout("index", "u32", finds and "PARTS" or "1"),
        hone.input("in_index", "u32", "INDEXED and max(1, N) or 1"),
        hone.workspace("partials", finds and "u64" or "f32",
                       "FINISH == 1 and GRID > 1 and GRID * PARTS or 0"),
        hone.inout("counters", "u32", "PARTS", { fill = "zero" }),
    },
    reference = {
        template = "reference/reduction.cu", entry = "reduction_reference",
        launch = { grid = { 1, "PARTS" }, block = { 256 } },
    },
    -- Small enough that one lost element shows; the second ends within a tile and a
    -- vector; one element; parts that begin within a vector; one block, which goes twice
    -- round any ring that shared memory has room for.
    verify   = { { N = 65536 }, { N = 100003 }, { N = 1 }, { N = 10001, PARTS = 3 },
                 { N = hone.range(1, 20000), PARTS = hone.range(1, 3),
                   BLOCKS = hone.range(0, 1) },
                 { N = 600000 // bytes, BLOCKS = 1 } },
    -- N uniform numbers of [-1, 1] summed in chains of c additions: the error has a
    -- standard deviation of about 2^-24 * sqrt(N * c / 18). c is a thread's tiles, then
    -- 10 levels in a block, then the blocks: 16000 at worst here, so six deviations are
    -- 1.1e-5 * sqrt(N). The largest is exact.
    tolerance = { absolute = "OP == 'sum' and 1.1e-5 or 0", scale = "sqrt(N)" },
    work     = { flops = "N", bytes = ("%d * N"):format(bytes) },
}
