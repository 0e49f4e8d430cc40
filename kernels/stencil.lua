-- Heat on a chip (hotspot): a 5-point stencil with temporal tiling. Block, cells a
-- thread, steps in shared memory and how far their loop is unrolled, power in shared
-- memory, blocks a multiprocessor: the parameters of the public recordings of this
-- space. See docs/templates/stencil.md.
local hone = require "hone"

local blocks = hone.range(32, 1024, 32)
for i, narrow in ipairs { 1, 2, 4, 8, 16 } do table.insert(blocks, i, narrow) end

return hone.kernel {
    name     = "stencil",
    template = "stencil.cu",
    problem  = { width = 4096, height = 4096, steps = 20 },
    tune     = {
        block_size_x = blocks, block_size_y = { 1, 2, 4, 8, 16, 32 },
        tile_size_x = hone.range(1, 10), tile_size_y = hone.range(1, 10),
        temporal_tiling_factor = hone.range(1, 10),
        loop_unroll_factor_t = hone.range(1, 10),
        sh_power = { 0, 1 }, blocks_per_sm = hone.range(0, 4),
    },
    derive   = {
        THREADS    = "block_size_x * block_size_y",
        OUT_WIDTH  = "block_size_x * tile_size_x",
        OUT_HEIGHT = "block_size_y * tile_size_y",
        BORDER     = "temporal_tiling_factor",
        SMEM       = "4 * (2 + sh_power) * (OUT_WIDTH + 2 * BORDER)"
            .. " * (OUT_HEIGHT + 2 * BORDER)",
        STATIC_SHARED = "16", -- for the ticket
        PHASES     = "max(1, ceil_div(steps, temporal_tiling_factor))",
    },
    where    = {
        "THREADS >= 32 and THREADS <= device.max_threads_per_block",
        "temporal_tiling_factor % loop_unroll_factor_t == 0",
        "SMEM + STATIC_SHARED <= device.max_shared_bytes",
        "blocks_per_sm * (SMEM + STATIC_SHARED + device.reserved_shared_bytes)"
            .. " <= device.shared_bytes_per_sm",
        "blocks_per_sm * THREADS <= device.max_threads_per_sm",
    },
    default  = {
        block_size_x = 32, block_size_y = 8, tile_size_x = 2, tile_size_y = 4,
        temporal_tiling_factor = 4, loop_unroll_factor_t = 2, sh_power = 1,
        blocks_per_sm = 0,
    },
    launch   = {
        grid = { "PHASES * ceil_div(width, OUT_WIDTH) * ceil_div(height, OUT_HEIGHT)" },
        block = { "block_size_x", "block_size_y" }, shared = "SMEM",
    },
    args     = {
        hone.input("in", "f32", "width * height"),
        hone.input("power", "f32", "width * height"),
        hone.output("out", "f32", "width * height"),
        hone.workspace("scratch", "f32", "PHASES > 1 and width * height or 0"),
        hone.inout("counters", "u32", 2, { fill = "zero" }),
        hone.i32("width"), hone.i32("height"), hone.i32("steps"),
        hone.f32("cap", "0.1"), hone.f32("rx", "1.5"), hone.f32("ry", "1.25"),
        hone.f32("rz", "0.01"), hone.f32("ambient", "80"),
    },
    reference = {
        template = "reference/stencil.cu", entry = "stencil_reference",
        launch = { grid = { 1 }, block = { 256 } },
    },
    -- Whole tiles of the smaller blocks, tiles inside the grid, one to four phases; every
    -- tile cut and a last phase cut short; a cell; no step at all.
    verify   = {
        { width = 256, height = 96, steps = 4 }, { width = 131, height = 77, steps = 7 },
        { width = 1, height = 1, steps = 2 }, { width = 40, height = 3, steps = 0 },
    },
    -- Template and reference do each step in the same order: all bits must agree.
    tolerance = { relative = 0, absolute = 0 },
    work     = {
        flops = "15 * width * height * steps", bytes = "12 * width * height",
    },
}
