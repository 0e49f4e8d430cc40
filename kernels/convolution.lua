-- 2-D convolution in fp32 with a 15 x 15 filter: block, elements a thread, read-only
-- loads, staging in shared memory and its padding. Parameters, values and constraints are
-- those of the public recordings of this space. See docs/templates/convolution.md.
local hone = require "hone"

return hone.kernel {
    name     = "convolution",
    template = "convolution.cu",
    problem  = { width = 4096, height = 4096 },
    tune     = {
        block_size_x = hone.range(16, 256, 16), block_size_y = { 1, 2, 4, 8, 16 },
        tile_size_x = { 1, 2, 3, 4 }, tile_size_y = { 1, 2, 3, 4 },
        read_only = { 0, 1 }, use_padding = { 0, 1 }, use_shmem = { 0, 1 },
        use_cmem = { 1 }, filter_height = { 15 }, filter_width = { 15 },
    },
    derive   = {
        OUT_HEIGHT  = "block_size_y * tile_size_y",
        OUT_WIDTH   = "block_size_x * tile_size_x",
        TILE_HEIGHT = "OUT_HEIGHT + filter_height - 1",
        TILE_WIDTH  = "OUT_WIDTH + filter_width - 1",
        -- As in the template: padded, rows start block_size_x banks apart.
        PITCH = "TILE_WIDTH + use_padding * ((block_size_x + 32 - TILE_WIDTH % 32) % 32)",
        SMEM  = "use_shmem * 4 * PITCH * TILE_HEIGHT",
    },
    where    = {
        "block_size_x * block_size_y <= device.max_threads_per_block",
        "use_padding == 0 or block_size_x % 32 ~= 0", -- else rows start apart anyway
        "use_padding == 0 or use_shmem ~= 0",
        "use_shmem == 0 or TILE_WIDTH * TILE_HEIGHT < 12 * 1024", -- of the recordings
        "SMEM <= device.max_shared_bytes",
    },
    default  = {
        block_size_x = 32, block_size_y = 4, tile_size_x = 1, tile_size_y = 3,
        read_only = 1, use_padding = 0, use_shmem = 1, use_cmem = 1,
        filter_height = 15, filter_width = 15,
    },
    launch   = {
        grid = { "ceil_div(width, OUT_WIDTH)", "ceil_div(height, OUT_HEIGHT)" },
        block = { "block_size_x", "block_size_y" },
        shared = "SMEM",
    },
    args     = {
        hone.input("input", "f32", "(width + 14) * (height + 14)"),
        hone.constant("filter", "f32", 225),
        hone.output("output", "f32", "width * height"),
        hone.i32("width"), hone.i32("height"),
    },
    reference = {
        template = "reference/convolution.cu", entry = "convolution_reference",
        launch = {
            grid = { "ceil_div(width, 32)", "ceil_div(height, 8)" }, block = { 32, 8 },
        },
    },
    -- Whole tiles of the smaller blocks; cut ones; cut in one direction; one element.
    verify   = {
        { width = 192, height = 64 }, { width = 131, height = 67 },
        { width = 131, height = 64 },
        { width = 1, height = 1 },
    },
    -- Template and reference add the same products with fmaf in the same order.
    tolerance = { relative = 0, absolute = 0 },
    work     = {
        flops = "2 * 15 * 15 * width * height",
        bytes = "4 * ((width + 14) * (height + 14) + width * height)",
    },
}
