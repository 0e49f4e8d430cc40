-- Latent attention (DeepSeek's MLA) of new tokens to a cache in pages or not: heads are
-- rows of one product, warps share tiles of latent keys. What is computed is chosen by
-- --set: TYPE, PAGE. See docs/templates/mla_decode.md.
local hone = require "hone"
local attention = require "common.attention"

local TYPE = attention.type()

local tiles = "ceil_div(HEADS * SEQ_Q, ROWS)" -- of a sequence
local cache = attention.cache("HEAD")

return hone.kernel {
    name     = "mla_decode",
    template = "mla_decode.cu",
    -- A batch that generates, of DeepSeek-V3 on one GPU, 4096 keys each.
    problem  = {
        TYPE = TYPE, HEAD = 576, HEAD_V = 512, PAGE = 64,
        BATCH = 32, SEQ_Q = 1, HEADS = 128, UNIT = 0, MORE = 4096,
        SCALE = 0.0, -- of scores; 0: 1 / sqrt(192), of heads before they meet the latent
        SPLITS = 0,  -- blocks that share the keys of a sequence; 0: as FILL says
    },
    defines  = { "TYPE", "HEAD", "HEAD_V", "PAGE" },
    tune     = {
        ROWS = { 16, 32, 64 }, KEYS = { 16, 32, 64, 128 }, WARPS = { 2, 4, 8, 16 },
        STAGES = { 1, 2, 3, 4 }, FILL = { 1, 2, 3, 4, 6, 8 },
        PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1 }, MIN_BLOCKS = { 1, 2 },
    },
    derive   = {
        THREADS = "32 * WARPS", RESERVED = "device.reserved_shared_bytes",
        TILES   = "BATCH * " .. tiles,
        PARTS   = attention.parts("KEYS"),
        STATIC_SHARED = "0",
        SMEM    = "2 * HEAD * (ROWS + STAGES * KEYS) + 2 * ROWS * KEYS + 64 * WARPS + "
            .. "4 * ROWS",
        -- Outputs, scores, powers, and some for addresses and the softmax.
        REGS    = "ROWS * HEAD_V // (32 * WARPS) + KEYS * ROWS // (32 * WARPS) + "
            .. "ROWS // 4 + 56",
    },
    where    = attention.where {
        "WARPS * 16 >= ROWS",
        "KEYS * ROWS >= 256 * WARPS",
    },
    -- Of an A100's 163 KiB: 152.
    default  = {
        ROWS = 64, KEYS = 32, WARPS = 8, STAGES = 2, FILL = 1, PREFETCH = 128, EVICT = 0,
        MIN_BLOCKS = 1,
    },
    launch   = {
        grid = { "PARTS", tiles, "BATCH" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = {
        hone.input("Q", TYPE, "BATCH * SEQ_Q * HEADS * HEAD", attention.scored),
        hone.input("K", TYPE, cache.elements, attention.scored),
        hone.inout("O", TYPE, "BATCH * SEQ_Q * HEADS * HEAD_V"),
        hone.inout("lse", "f32", "HEADS * BATCH * SEQ_Q", attention.lse()),
        hone.input("table", "i32", "BATCH * " .. cache.pages, { fill = "offsets" }),
        hone.input("lengths", "u32", "BATCH"),
        hone.workspace("partials", "f32",
                       "PARTS > 1 and TILES * PARTS * ROWS * (HEAD_V + 1) or 0"),
        hone.inout("counters", "u32", "BATCH * ceil_div(HEADS * SEQ_Q, 16)",
                   { fill = "zero" }),
        hone.i32("unit", "UNIT"), hone.i32("more", "MORE"), hone.i32("seq_q", "SEQ_Q"),
        hone.i32("heads", "HEADS"), hone.i32("table_row", cache.pages),
        hone.i32("q_token", "HEADS * HEAD"), hone.i32("q_head", "HEAD"),
        hone.i64("kv_page", cache.page), hone.i32("kv_token", "HEAD"),
        hone.i32("o_token", "HEADS * HEAD_V"), hone.i32("o_head", "HEAD_V"),
        hone.i64("lse_head", "BATCH * SEQ_Q"),
        hone.f32("scale", "SCALE > 0 and SCALE or 1 / sqrt(192)"),
    },
    reference = {
        template = "reference/mla_decode.cu", entry = "mla_decode_reference",
        launch = { grid = { "SEQ_Q", "HEADS", "BATCH" }, block = { 32 } },
    },
    -- Lengths of 1 to 105, scores that differ much; more rows than a block has, fewer
    -- keys than tokens, none, and more blocks than tiles; one key; rings that come round;
    -- none. At four of them pages of 64, 8, 16 or 32 end with the keys, within a tile of
    -- more, and the table with its last page.
    verify   = {
        { BATCH = 2, SEQ_Q = 1, HEADS = 16, UNIT = 13, MORE = 1, SCALE = 0.2,
          SPLITS = 2 },
        { BATCH = 3, SEQ_Q = 3, HEADS = 23, UNIT = 3, MORE = 0, SPLITS = 4 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, UNIT = 0, MORE = 1 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 2, UNIT = 0, MORE = 320, SPLITS = 1 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 3, UNIT = 0, MORE = 0, SPLITS = 2 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, UNIT = 0, MORE = 8 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, UNIT = 0, MORE = 16 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, UNIT = 0, MORE = 32 },
    },
    -- Values are normal numbers here, seldom above 4, where other scripts have at most 1.
    tolerance = {
        relative = attention.tolerance(TYPE).relative,
        absolute = "4 * " .. attention.tolerance(TYPE).absolute,
    },
    -- The cache once, where all lengths are MORE.
    work     = {
        flops = "2 * BATCH * HEADS * SEQ_Q * (HEAD + HEAD_V) * (4 * UNIT + MORE)",
        bytes = "2 * BATCH * (HEAD * (4 * UNIT + MORE) + "
            .. "HEADS * SEQ_Q * (HEAD + HEAD_V))",
    },
}
