-- What the scripts of kernels on rows share: element types, strides, how a row is spread
-- over threads and vectors (templates/common/row.cuh), and cache hints
-- (templates/common/cache_hints.cuh).
local hone = require "hone"

local rows = {}

rows.bytes = { f32 = 4, f16 = 2, bf16 = 2, e4m3 = 1 }

-- Rounding of a result, twice: the reference rounds too, and to the other side of a tie.
rows.rounding = { f32 = 0, f16 = "2^-10", bf16 = "2^-7", e4m3 = "2^-3" }
-- Between neighbours next to 0 there is this at least.
rows.step = { f32 = "0", f16 = "2^-24", bf16 = "0", e4m3 = "2^-9" }

-- name chosen by --set among bf16, f16 and f32, first what is preferred.
function rows.choose(name, preferred)
    local types = { preferred }
    for _, type in ipairs { "bf16", "f16", "f32" } do
        if type ~= preferred then types[#types + 1] = type end
    end
    return hone.choice(name, types)
end

-- Elements from one row to the next, and of all rows. With PAD few rows of in are
-- aligned, and those of out otherwise.
rows.in_stride = "cols + (PAD and 2 or 0)"
rows.out_stride = "cols + (PAD and 3 or 0)"
rows.in_size = "max(1, rows * (" .. rows.in_stride .. "))"
rows.out_size = "max(1, rows * (" .. rows.out_stride .. "))"

-- Aligned rows of a size in use, not a multiple of rows a block; long rows that no
-- configuration holds, none aligned; in and out aligned in all ways; nearly nothing.
rows.verify = {
    { rows = 7, cols = 4096 }, { rows = 3, cols = 70001 },
    { rows = 9, cols = 1003, PAD = true }, { rows = 1, cols = 1 },
}
-- So many aligned rows that each ring of them wraps twice, in two blocks: both parities
-- of its barriers are waited for, and the first again.
rows.many = { rows = 520, cols = 32, BLOCKS = 2 }

-- where, and ahead of it what conversions to 16 bits, the reference's too, ask for.
function rows.where(TYPE, OUT, where)
    for _, type in ipairs { "f16", "bf16" } do
        if TYPE == type or OUT == type then
            table.insert(where, 1,
                ("TYPE ~= '%s' and OUT ~= '%s' or device.cc_major >= 8 "
                    .. "or '%s: sm_80 and newer' == ''"):format(type, type, type))
        end
    end
    return where
end

-- Hints, for kernels on rows and others: values, and what those that a kernel has need.
rows.hints = {
    tune = {
        LOAD = { 0, 1, 2 }, PREFETCH = { 0, 64, 128, 256 }, EVICT = { 0, 1, 2 },
        STORE = { 0, 1, 2 },
    },
    where = {
        prefetch = "PREFETCH < 256 or device.cc_major >= 8",
        evict = "EVICT == 0 or device.cc_major >= 8",
        evict_and_store = "EVICT == 0 and STORE ~= 2 or device.cc_major >= 8",
    },
}

-- The space of a kernel on rows of TYPE that makes rows of OUT. default: all of it;
-- tiles: how many a thread holds at once; shared: bytes of shared memory for each warp of
-- a row of several.
function rows.space(TYPE, OUT, tiles, shared, default)
    local bytes = rows.bytes[TYPE]
    local tune = {
        ROW_THREADS = { 8, 16, 32, 64, 128, 256, 512, 1024 },
        ROWS = { 1, 2, 4, 8, 16, 32 }, CHUNKS = { 1, 2, 3, 4, 5, 6, 8, 12, 16 },
        VEC = { 4, 8, 16 }, MIN_BLOCKS = { 1, 2, 3, 4, 6, 8 },
        BULK = { 0, 2, 3, 4 },
    }
    for name, values in pairs(rows.hints.tune) do tune[name] = values end
    return {
        tune = tune,
        default = default,
        derive = {
            THREADS = "ROW_THREADS * ROWS", PER = ("VEC // %d"):format(bytes),
            PARTIALS = ("ROW_THREADS > 32 and %d * (THREADS // 32) or 0"):format(shared),
            -- Dynamic shared memory begins at a multiple of 16.
            STATIC_SHARED = "BULK > 0 and ceil_div(PARTIALS, 16) * 16 or PARTIALS",
            -- Vectors, a chunk's elements, and some for addresses and counters.
            REGS = ("%d * CHUNKS * VEC // 4 + PER + 24"):format(tiles),
            -- As in templates/common/bulk_rows.cuh: rows and a barrier a group, where
            -- there is room for them.
            RING = ("BULK * (ROWS * ceil_div(cols * %d, 16) * 16 + 8)"):format(bytes),
            SMEM = "RING + STATIC_SHARED <= device.max_shared_bytes and "
                .. "MIN_BLOCKS * (RING + STATIC_SHARED + device.reserved_shared_bytes) "
                .. "<= device.shared_bytes_per_sm and RING or 0",
            GROUPS = "max(1, ceil_div(rows, ROWS))",
            -- Those that run at once, each of which has work for more than a ring.
            STAYING = "min(BLOCKS > 0 and BLOCKS or MIN_BLOCKS * device.sm_count, "
                .. "ceil_div(GROUPS, BULK + 1))",
        },
        where = rows.where(TYPE, OUT, {
            rows.hints.where.prefetch,
            "THREADS >= 64 and THREADS <= device.max_threads_per_block",
            "REGS <= device.max_registers_per_thread",
            "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
            "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
            rows.hints.where.evict_and_store,
            -- Bulk copies have none of the hints of loads.
            "BULK == 0 or device.cc_major >= 9 and LOAD == 2 and PREFETCH == 0 "
                .. "and EVICT == 0",
        }),
    }
end

rows.launch = {
    grid = { "(BULK > 0 and STAYING or GROUPS)" }, block = { "THREADS" }, shared = "SMEM",
}

return rows
