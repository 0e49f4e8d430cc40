-- Softmax of rows, or its logarithm: threads and vectors a row, rows a block, cache
-- hints. Chosen by --set: TYPE, OUT, LOG. See docs/templates/softmax.md.
local hone = require "hone"
local rows = require "common.rows"

local TYPE = rows.choose("TYPE", "bf16")
local OUT = rows.choose("OUT", TYPE)
local wide = TYPE == "f32"
local space = rows.space(rows.bytes[TYPE], 1, 8, {
    ROW_THREADS = 512, ROWS = 1, CHUNKS = wide and 16 or 8, VEC = 16,
    MIN_BLOCKS = wide and 1 or 2, LOAD = 2, PREFETCH = 0, EVICT = 0, STORE = 0,
})

return hone.kernel {
    name     = "softmax",
    template = "softmax.cu",
    problem  = {
        TYPE = TYPE, OUT = OUT, LOG = false,
        rows = 4096, cols = 32000, -- the logits of 4096 tokens
        PAD = false, -- stored rows are longer, so that few are aligned
    },
    defines  = { "TYPE", "OUT", "LOG" },
    tune     = space.tune,
    derive   = space.derive,
    where    = space.where,
    default  = space.default,
    launch   = rows.launch,
    args     = {
        hone.input("in", TYPE, rows.in_size), hone.inout("out", OUT, rows.out_size),
        hone.i32("rows"), hone.i32("cols"), hone.i64("in_stride", rows.in_stride),
        hone.i64("out_stride", rows.out_stride), hone.f32("scale", "4.0"),
    },
    reference = {
        template = "reference/softmax.cu", entry = "softmax_reference",
        launch = { grid = { "max(1, rows)" }, block = { 256 } },
    },
    verify   = rows.verify,
    -- The sum of a row is in chains of up to c = cols / 8 positive terms: its error has a
    -- standard deviation of 2^-25 * sqrt(c / 3) at most, six of which are 1e-5 at 70001.
    -- Powers are good to 2^-21, at exponents of up to 12. Logarithms lie within 13 of 0.
    tolerance = {
        relative = rows.rounding[OUT] .. " + 2^-16", absolute = "LOG and 2e-5 or 0",
    },
    -- Each element is read and written once.
    work     = {
        flops = "5 * rows * cols",
        bytes = ("%d * rows * cols"):format(rows.bytes[TYPE] + rows.bytes[OUT]),
    },
}
