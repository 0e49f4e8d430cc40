-- Attention of new tokens to a cache of keys, in pages or not: keys split over blocks and
-- warps, tiles, stages of cp.async, cache hints. What is computed is chosen by --set:
-- TYPE, CACHE, HEAD, PAGE, LOCAL, SOFTCAP. See docs/templates/attention_decode.md.
local hone = require "hone"
local attention = require "common.attention"

local TYPE = attention.type()
local CACHE = hone.choice("CACHE", { TYPE, "e4m3" })
local BYTES = CACHE == "e4m3" and 1 or 2 -- of an element
local HEAD = attention.head { "128", "64", "96", "256" }

local tiles = "KEY_HEADS * ceil_div(HEADS // KEY_HEADS * SEQ_Q, 16)" -- of a sequence
local cache = attention.cache(attention.k_token)
-- Keys with which every warp of a block that has them alone goes round its rings: WARPS *
-- (STAGES + 1) * KEYS of the configuration that has most, as 227 KiB hold its tiles.
local round_all = ({ [64] = 2048, [96] = 2048, [128] = 1024, [256] = 512 })[HEAD] *
    (2 // BYTES)

local scales = BYTES == 1 and "KEY_HEADS" or "1" -- of 16 bits nothing reads them

return hone.kernel {
    name     = "attention_decode",
    template = "attention_decode.cu",
    -- A batch that generates, 8192 keys each, of a model with 8 billion parameters.
    problem  = {
        TYPE = TYPE, CACHE = CACHE, HEAD = HEAD, PAGE = 16,
        LOCAL = false, SOFTCAP = false,
        BATCH = 32, SEQ_Q = 1, HEADS = 32, KEY_HEADS = 8, UNIT = 0, MORE = 8192,
        WINDOW = 4096, CAP = 50.0, -- used with LOCAL, with SOFTCAP
        SCALE = 0.0, -- of scores; 0: 1 / sqrt(HEAD)
        SPLITS = 0,  -- blocks that share the keys of a sequence; 0: as FILL says
    },
    defines  = { "TYPE", "CACHE", "HEAD", "PAGE", "LOCAL", "SOFTCAP" },
    tune     = {
        KEYS = { 16, 32, 64, 128 }, WARPS = { 1, 2, 4, 8 }, STAGES = { 1, 2, 3, 4, 6 },
        FILL = { 1, 2, 3, 4, 6, 8, 12, 16 }, KEEP_Q = { 0, 1 }, PEEL = { 0, 1 },
        PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1 }, MIN_BLOCKS = { 1, 2, 3, 4 },
    },
    derive   = {
        THREADS = "32 * WARPS", RESERVED = "device.reserved_shared_bytes",
        TILES   = "BATCH * " .. tiles,
        PARTS   = attention.parts("KEYS * WARPS"),
        STATIC_SHARED = "0",
        SMEM    = ("32 * HEAD + WARPS * max(%d * STAGES * KEYS * HEAD, 64 * (HEAD + 8))")
            :format(2 * BYTES),
        -- Outputs, scores, queries, and some for addresses and the softmax.
        REGS    = "(HEAD + KEYS + KEEP_Q * HEAD // 2) // 2 + 56",
    },
    where    = attention.where {},
    -- Some 70 KiB: two blocks on an A100 or H100, one on parts with 100 KiB.
    default  = {
        KEYS = HEAD == 64 and 32 or 16,
        WARPS = HEAD == 256 and 2 or 4,
        STAGES = 2, FILL = 2, KEEP_Q = HEAD == 256 and 0 or 1, PEEL = 0,
        PREFETCH = 128, EVICT = 1, MIN_BLOCKS = 1,
    },
    launch   = {
        grid = { "PARTS", tiles, "BATCH" }, block = { "THREADS" }, shared = "SMEM",
    },
    args     = {
        hone.input("Q", TYPE, "BATCH * SEQ_Q * " .. attention.q_token, attention.scored),
        hone.input("K", CACHE, cache.elements, attention.scored),
        hone.input("V", CACHE, cache.elements),
        hone.inout("O", TYPE, "BATCH * SEQ_Q * " .. attention.q_token),
        hone.inout("lse", "f32", "HEADS * BATCH * SEQ_Q", attention.lse()),
        hone.input("table", "i32", "BATCH * " .. cache.pages, { fill = "offsets" }),
        hone.input("lengths", "u32", "BATCH"),
        hone.input("k_scale", "f32", scales, { fill = "integers", low = 1, high = 2 }),
        hone.input("v_scale", "f32", scales),
        hone.workspace("partials", "f32",
                       "PARTS > 1 and TILES * PARTS * 16 * (HEAD + 1) or 0"),
        hone.inout("counters", "u32", "BATCH * " .. tiles, { fill = "zero" }),
        hone.i32("unit", "UNIT"), hone.i32("more", "MORE"), hone.i32("seq_q", "SEQ_Q"),
        hone.i32("heads", "HEADS"), hone.i32("group", "HEADS // KEY_HEADS"),
        hone.i32("table_row", cache.pages),
        hone.i32("q_token", attention.q_token), hone.i32("q_head", "HEAD"),
        hone.i64("kv_page", cache.page), hone.i32("kv_token", attention.k_token),
        hone.i32("kv_head", "HEAD"),
        hone.i32("o_token", attention.q_token), hone.i32("o_head", "HEAD"),
        hone.i64("lse_head", "BATCH * SEQ_Q"), hone.i32("window", "WINDOW"),
        hone.f32("scale", attention.scale), hone.f32("cap", "CAP"),
    },
    reference = {
        template = "reference/attention_decode.cu", entry = "attention_decode_reference",
        launch = { grid = { "SEQ_Q", "HEADS", "BATCH" }, block = { 32 } },
    },
    -- Lengths of 1 to 297, four heads to a key head, scores that differ much; more rows
    -- than a block has, fewer keys than tokens, and more blocks than tiles; one key;
    -- rings that come round; none. At four of them pages of 16, 8, 32 or 64 end with the
    -- keys, within a tile of more, and the table with its last page.
    verify   = {
        { BATCH = 3, SEQ_Q = 1, HEADS = 8, KEY_HEADS = 2, UNIT = 37, MORE = 1,
          SCALE = 0.5, WINDOW = 100, SPLITS = 3 },
        { BATCH = 4, SEQ_Q = 5, HEADS = 7, KEY_HEADS = 1, UNIT = 3, MORE = 0,
          WINDOW = 10, SPLITS = 4 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, KEY_HEADS = 1, UNIT = 0, MORE = 1 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 2, KEY_HEADS = 1, UNIT = 0,
          MORE = round_all + 16, WINDOW = round_all, SPLITS = 1 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 3, KEY_HEADS = 1, UNIT = 0, MORE = 0,
          SPLITS = 2 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, KEY_HEADS = 1, UNIT = 0, MORE = 8 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, KEY_HEADS = 1, UNIT = 0, MORE = 32 },
        { BATCH = 1, SEQ_Q = 1, HEADS = 1, KEY_HEADS = 1, UNIT = 0, MORE = 64 },
    },
    tolerance = attention.tolerance(TYPE),
    -- K and V once, where all lengths are MORE.
    work     = {
        flops = "4 * BATCH * HEADS * SEQ_Q * HEAD * (4 * UNIT + MORE)",
        bytes = ("BATCH * HEAD * (%d * KEY_HEADS * (4 * UNIT + MORE) + "
            .. "4 * HEADS * SEQ_Q)"):format(2 * BYTES),
    },
}
