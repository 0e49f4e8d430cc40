-- Softmax of rows, or its logarithm: threads and vectors a row, rows a block, blocks a
-- row, cache hints. Chosen by --set: TYPE, OUT, LOG. See docs/templates/softmax.md.
local hone = require "hone"
local rows = require "common.rows"

local TYPE = rows.choose("TYPE", "bf16")
local OUT = rows.choose("OUT", TYPE)
local wide = TYPE == "f32"
local space = rows.space(TYPE, OUT, 1, 8, {
    ROW_THREADS = wide and 1024 or 512, ROWS = 1, CHUNKS = 8, VEC = 16,
    MIN_BLOCKS = wide and 1 or 2, LOAD = 2, PREFETCH = 0, EVICT = 0, STORE = 0, SPLIT = 1,
    BULK = 0,
})
-- Blocks that share a row wait for each other: all of them must run at once.
space.tune.SPLIT = { 1, 2, 4, 8, 16, 32, 64 }
-- A block's ticket, where it lies beside pairs of 8 bytes.
space.derive.STATIC_SHARED = ("(%s) + (SPLIT > 1 and (ROW_THREADS > 32 and 8 or 4) or 0)")
    :format(space.derive.STATIC_SHARED)
for _, line in ipairs {
    "SPLIT == 1 or ROWS == 1", "SPLIT <= device.sm_count", "SPLIT == 1 or BULK == 0",
} do
    table.insert(space.where, line)
end

-- Those of all kernels on rows, and rows with work for many blocks each.
local verify = { rows.many, table.unpack(rows.verify) }
verify[#verify + 1] = { rows = 2, cols = 1000003 }

return hone.kernel {
    name     = "softmax",
    template = "softmax.cu",
    problem  = {
        TYPE = TYPE, OUT = OUT, LOG = false,
        rows = 4096, cols = 32000, -- the logits of 4096 tokens
        PAD = false, -- stored rows are longer, so that few are aligned
        BLOCKS = 0, -- that stay at most, with BULK; 0: as many as run at once
    },
    defines  = { "TYPE", "OUT", "LOG" },
    tune     = space.tune,
    derive   = space.derive,
    where    = space.where,
    default  = space.default,
    launch   = {
        grid = { "(BULK > 0 and STAYING or GROUPS) * SPLIT" }, block = { "THREADS" },
        shared = "SMEM",
    },
    args     = {
        hone.input("in", TYPE, rows.in_size), hone.inout("out", OUT, rows.out_size),
        hone.workspace("partials", "f32", "SPLIT > 1 and 2 * SPLIT * max(1, rows) or 0"),
        hone.inout("counters", "u32", "rows + 1", { fill = "zero" }),
        hone.i32("rows"), hone.i32("cols"), hone.i64("in_stride", rows.in_stride),
        hone.i64("out_stride", rows.out_stride), hone.f32("scale", "4.0"),
    },
    reference = {
        template = "reference/softmax.cu", entry = "softmax_reference",
        launch = { grid = { "max(1, rows)" }, block = { 256 } },
    },
    verify   = verify,
    -- The sum of a row is in chains of up to c = cols / 16 positive terms, whose error
    -- has a standard deviation of 2^-25 * sqrt(c / 3) at most: six of these are below
    -- 2^-25 * sqrt(cols). Powers are good to 2^-21, at exponents of up to 12. Logarithms
    -- lie within 14 of 0.
    tolerance = {
        relative = rows.rounding[OUT] .. " + 2^-17 + 2^-25 * sqrt(cols)",
        absolute = ("LOG and 2^-17 + 2^-25 * sqrt(cols) or %s"):format(rows.step[OUT]),
    },
    -- Each element is read and written once.
    work     = {
        flops = "5 * rows * cols",
        bytes = ("%d * rows * cols"):format(rows.bytes[TYPE] + rows.bytes[OUT]),
    },
}
