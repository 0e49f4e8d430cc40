-- Transposition out of place, with conversion: tile, pieces a thread, widths of loads and
-- stores, how packs are spread over banks, order of blocks. See
-- docs/templates/transpose.md.
local hone = require "hone"
local rows = require "common.rows"

local TYPE = hone.choice("TYPE", { "f32", "bf16", "f16" })
local others = { TYPE }
for _, name in ipairs { "f32", "bf16", "f16" } do
    if name ~= TYPE then others[#others + 1] = name end
end
local OUT = hone.choice("OUT", others)
local in_bytes, out_bytes = rows.bytes[TYPE], rows.bytes[OUT]

return hone.kernel {
    name     = "transpose",
    template = "transpose.cu",
    -- PAD: stored rows are an element longer, so that few are aligned (for verifying).
    problem  = { TYPE = TYPE, OUT = OUT, M = 8192, N = 8192, PAD = false },
    defines  = { "TYPE", "OUT" },
    tune     = {
        TILE_M = { 16, 32, 64, 128 }, TILE_N = { 16, 32, 64, 128 },
        ITEMS = { 1, 2, 4, 8 },
        VEC_IN = hone.pow2(1, 16 // in_bytes), VEC_OUT = hone.pow2(1, 16 // out_bytes),
        SPREAD = { 0, 1, 2 }, ORDER = { 0, 1, 2 }, MIN_BLOCKS = { 1, 2, 4, 8 },
        LOAD = { 0, 1, 2 }, PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1 },
        STORE = { 0, 1 },
    },
    derive   = {
        PIECE   = "VEC_IN * VEC_OUT",
        THREADS = "TILE_M * TILE_N // PIECE // ITEMS",
        -- With SPREAD 1 a pack of padding between pieces.
        SMEM    = out_bytes .. " * (TILE_M * TILE_N"
            .. " + (SPREAD == 1 and (TILE_N // VEC_IN - 1) * VEC_OUT or 0))",
        -- What a thread holds: what it loaded, the piece that it turns (words need no
        -- turning), addresses.
        REGS    = ("(ITEMS * PIECE * %d + PIECE * %d) // 4 + 24"):format(in_bytes,
            in_bytes + out_bytes < 8 and out_bytes or 0),
    },
    where    = rows.where(TYPE, OUT, {
        "THREADS >= 32 and THREADS <= device.max_threads_per_block",
        "SMEM <= device.max_shared_bytes",
        rows.hints.where.prefetch,
        rows.hints.where.evict,
        "REGS <= 160", -- more would leave too few warps to cover memory
        -- MIN_BLOCKS blocks must fit a multiprocessor.
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    }),
    default  = { -- 256 bytes of a row on either side, loads and stores of 16
        TILE_M = 256 // out_bytes, TILE_N = 256 // in_bytes,
        VEC_IN = 16 // in_bytes, VEC_OUT = 16 // out_bytes,
        ITEMS = 1, SPREAD = 2, ORDER = 0,
        MIN_BLOCKS = in_bytes + out_bytes < 8 and 2 or 4,
        LOAD = 2, PREFETCH = 0, EVICT = 0, STORE = 0,
    },
    launch   = {
        grid = { "ceil_div(M, TILE_M) * ceil_div(N, TILE_N)" },
        block = { "THREADS" }, shared = "SMEM",
    },
    args     = {
        hone.input("in", TYPE, "M * (N + (PAD and 1 or 0))"),
        -- Padding stays as it is.
        hone.inout("out", OUT, "N * (M + (PAD and 1 or 0))"),
        hone.i32("M"), hone.i32("N"),
        hone.i32("ld_in", "N + (PAD and 1 or 0)"),
        hone.i32("ld_out", "M + (PAD and 1 or 0)"),
    },
    reference = {
        template = "reference/transpose.cu", entry = "transpose_reference",
        launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
    },
    -- Whole tiles of every size; tiles cut on both sides, rows aligned; nothing whole or
    -- aligned; one element.
    verify   = {
        { M = 128, N = 256 }, { M = 136, N = 200 }, { M = 67, N = 131, PAD = true },
        { M = 1, N = 1 },
        { M = hone.range(1, 200), N = hone.range(1, 200), PAD = { false, true } },
    },
    -- Each element is rounded once, on both sides: all bits must agree.
    tolerance = { relative = 0, absolute = 0 },
    work     = {
        flops = "0",
        bytes = ("%d * M * N"):format(in_bytes + out_bytes),
    },
}
