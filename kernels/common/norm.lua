-- What the scripts of normalisations share (templates/common/norm.cuh): choices, problem,
-- arguments, tolerance, work.
local hone = require "hone"
local rows = require "common.rows"

local norm = {}

-- What hone.kernel takes, of a kernel's name, template, shared: bytes of a warp's partial
-- result, and biased: whether there is a bias.
function norm.definition(kernel)
    local biased = kernel.biased
    local TYPE = rows.choose("TYPE", "bf16")
    local QUANT = hone.choice("QUANT", { "none", "given", "row" })
    local OUT = QUANT == "none" and rows.choose("OUT", TYPE) or "e4m3"
    local wide = TYPE == "f32"
    local default = {
        ROW_THREADS = 256, ROWS = 1, CHUNKS = wide and 4 or 2, VEC = 16,
        MIN_BLOCKS = not biased and 4 or wide and 2 or 3, LOAD = 2, PREFETCH = 0,
        EVICT = 0, STORE = 0, BULK = 0,
    }
    -- A thread holds tiles of x, weight and bias.
    local space = rows.space(TYPE, OUT, biased and 3 or 2,
                             kernel.shared + (QUANT == "row" and 4 or 0), default)
    if OUT == "e4m3" then
        space.where[#space.where + 1] = "device.cc_major * 10 + device.cc_minor >= 89"
    end

    local args = {
        hone.input("in", TYPE, rows.in_size),
        hone.inout("residual", TYPE, "RESIDUAL and " .. rows.in_size .. " or 1"),
        hone.input("weight", TYPE, "max(1, cols)"),
    }
    if biased then args[#args + 1] = hone.input("bias", TYPE, "max(1, cols)") end
    for _, arg in ipairs {
        hone.inout("out", OUT, rows.out_size),
        hone.inout("scales", "f32", "QUANT == 'row' and max(1, rows) or 1"),
        hone.i32("rows"), hone.i32("cols"), hone.i64("in_stride", rows.in_stride),
        hone.i64("out_stride", rows.out_stride), hone.f32("eps", "1e-5"),
        hone.f32("scale", "0.01"), -- y of up to 4.48
    } do
        args[#args + 1] = arg
    end

    return {
        name     = kernel.name,
        template = kernel.template,
        problem  = {
            TYPE = TYPE, OUT = OUT, QUANT = QUANT, RESIDUAL = false,
            rows = 8192, cols = 4096, -- 8192 tokens of a model of 7 billion weights
            PAD = false, -- stored rows are longer, so that few are aligned
            BLOCKS = 0, -- that stay at most, with BULK; 0: as many as run at once
        },
        defines  = { "TYPE", "OUT", "QUANT", "RESIDUAL" },
        tune     = space.tune,
        derive   = space.derive,
        where    = space.where,
        default  = space.default,
        launch   = rows.launch,
        args     = args,
        reference = {
            template = "reference/" .. kernel.template,
            entry = kernel.name .. "_reference",
            launch = { grid = { "max(1, rows)" }, block = { 256 } },
        },
        verify   = { rows.many, table.unpack(rows.verify) },
        -- A sum of c = cols / 8 squares has a relative error with a standard deviation of
        -- 2^-25 * sqrt(c / 3) at most; its root halves that: six of them are 5e-6 at
        -- 70001. A mean near 0 is off by as much of x, which rstd keeps below 4. e4m3 has
        -- no less than 2^-9 between neighbours.
        tolerance = {
            relative = rows.rounding[OUT] .. " + 2^-16",
            absolute = OUT == "e4m3" and rows.step[OUT] or "1e-5",
        },
        -- Each element is read and written once, with a residual twice.
        work     = {
            flops = "6 * rows * cols",
            bytes = ("rows * cols * (%d + (RESIDUAL and %d or 0))"):format(
                rows.bytes[TYPE] + rows.bytes[OUT], 2 * rows.bytes[TYPE]),
        },
    }
end

return norm
