-- Attention forward on tensor cores: tiles of queries and keys, warps, stages of
-- cp.async, queries in registers, masked tiles apart, order of blocks. What is computed
-- is chosen by --set: TYPE, HEAD, CAUSAL, LOCAL, SOFTCAP, VARLEN. See
-- docs/templates/attention.md.
local hone = require "hone"
local attention = require "common.attention"

local TYPE = attention.type()
local HEAD = attention.head { "128", "64", "96", "256" }
local CAUSAL = hone.choice("CAUSAL", { "true", "false" }) == "true"

local q_token = attention.q_token .. " + (PAD and 1 or 0)"
local k_token = attention.k_token .. " + (PAD and 1 or 0)"
-- With VARLEN what sequences take at most, of both kinds.
local q_tokens = "(VARLEN and (4 * BATCH + 4) * UNIT or BATCH * SEQ_Q)"
local k_tokens = "(VARLEN and (4 * BATCH + 4) * UNIT or BATCH * SEQ_K)"
local queries = ("%s * (%s)"):format(q_tokens, q_token)
local keys = ("max(1, %s * (%s))"):format(k_tokens, k_token)

local longest = "(VARLEN and 8 * UNIT or SEQ_Q)" -- queries of a sequence

-- The largest tiles of keys whose scores leave registers enough for 32 queries a warp
-- (16 of the widest head), in 96 KiB of shared memory at most.
local tile = ({
    [64] = { BLOCK_N = 64, WARPS = 4, STAGES = 2 },
    [96] = { BLOCK_N = 32, WARPS = 4, STAGES = 2 },
    [128] = { BLOCK_N = 32, WARPS = 4, STAGES = 2 },
    [256] = { BLOCK_N = 32, WARPS = 8, STAGES = 1 },
})[HEAD]

return hone.kernel {
    name     = "attention",
    template = "attention.cu",
    -- Prompts of a model with 8 billion parameters.
    problem  = {
        TYPE = TYPE, HEAD = HEAD, CAUSAL = CAUSAL, LOCAL = false,
        SOFTCAP = false, VARLEN = false,
        BATCH = 2, SEQ_Q = 8192, SEQ_K = 8192, HEADS = 32, KEY_HEADS = 8,
        UNIT = 1024, -- with VARLEN sequences have 0 to 8 times as many tokens
        WINDOW = 4096, CAP = 50.0, -- used with LOCAL, with SOFTCAP
        SCALE = 0.0, -- of scores; 0: 1 / sqrt(HEAD)
        PAD = false, -- tokens are an element further apart, so that few are aligned
    },
    defines  = { "TYPE", "HEAD", "CAUSAL", "LOCAL", "SOFTCAP", "VARLEN" },
    tune     = {
        BLOCK_M = { 16, 32, 64, 96, 128, 192, 256 },
        BLOCK_N = { 16, 32, 48, 64, 80, 96, 112, 128, 160, 192 },
        WARPS = { 1, 2, 4, 8 }, STAGES = { 1, 2, 3 }, KEEP_Q = { 0, 1 }, PEEL = { 0, 1 },
        HEAD_GROUP = { 1, 4, 8, 16, 64 }, LONGEST_FIRST = CAUSAL and { 0, 1 } or { 0 },
        PREFETCH = { 0, 128, 256 }, EVICT = { 0, 1, 2 }, MIN_BLOCKS = { 1, 2, 3, 4 },
    },
    derive   = {
        THREADS = "32 * WARPS", ROWS = "BLOCK_M // WARPS", -- of a warp
        RESERVED = "device.reserved_shared_bytes",
        Q_BYTES = "2 * HEAD * BLOCK_M", RINGS = "4 * HEAD * STAGES * BLOCK_N",
        STATIC_SHARED = "0",
        SMEM    = "KEEP_Q == 1 and max(Q_BYTES, RINGS) or Q_BYTES + RINGS",
        -- Outputs, scores, queries, and some for addresses and the softmax.
        REGS    = "ROWS * (HEAD + BLOCK_N + KEEP_Q * HEAD // 2) // 32 + 56",
    },
    where    = attention.where { "BLOCK_M % (16 * WARPS) == 0" },
    default  = {
        BLOCK_M = 128, BLOCK_N = tile.BLOCK_N, WARPS = tile.WARPS, STAGES = tile.STAGES,
        KEEP_Q = 0, PEEL = 1, HEAD_GROUP = 8, LONGEST_FIRST = CAUSAL and 1 or 0,
        PREFETCH = 128, EVICT = 0, MIN_BLOCKS = 1,
    },
    launch   = {
        grid = { ("ceil_div(%s, BLOCK_M) * HEADS * BATCH"):format(longest) },
        block = { "THREADS" }, shared = "SMEM",
    },
    args     = {
        hone.input("Q", TYPE, queries, attention.scored),
        hone.input("K", TYPE, keys, attention.scored),
        hone.input("V", TYPE, keys), hone.inout("O", TYPE, queries),
        hone.inout("lse", "f32", "HEADS * " .. q_tokens, attention.lse()),
        hone.input("starts_q", "i32", "BATCH + 1", { fill = "offsets" }),
        hone.input("starts_k", "i32", "BATCH + 1", { fill = "offsets" }),
        hone.i32("unit", "UNIT"), hone.i32("seq_q", longest), hone.i32("seq_k", "SEQ_K"),
        hone.i32("heads", "HEADS"), hone.i32("group", "HEADS // KEY_HEADS"),
        hone.i32("q_token", q_token), hone.i32("q_head", "HEAD"),
        hone.i32("k_token", k_token), hone.i32("k_head", "HEAD"),
        hone.i32("v_token", k_token), hone.i32("v_head", "HEAD"),
        hone.i32("o_token", q_token), hone.i32("o_head", "HEAD"),
        hone.i64("lse_head", q_tokens), hone.i32("window", "WINDOW"),
        hone.f32("scale", attention.scale),
        hone.f32("cap", "CAP"),
    },
    reference = {
        template = "reference/attention.cu", entry = "attention_reference",
        launch = { grid = { longest, "HEADS", "BATCH" }, block = { 32 } },
    },
    -- Several tiles, scores that differ much; unaligned, and fewer keys than queries, so
    -- that some see none with CAUSAL; one key; none.
    verify   = {
        { BATCH = 1, SEQ_Q = 200, SEQ_K = 328, HEADS = 2, KEY_HEADS = 1, SCALE = 0.5,
          WINDOW = 70, UNIT = 37 },
        { BATCH = 2, SEQ_Q = 75, SEQ_K = 49, HEADS = 2, KEY_HEADS = 2, PAD = true,
          WINDOW = 10, UNIT = 7 },
        { BATCH = 3, SEQ_Q = 1, SEQ_K = 1, HEADS = 3, KEY_HEADS = 1, UNIT = 1 },
        { BATCH = 1, SEQ_Q = 3, SEQ_K = 0, HEADS = 1, KEY_HEADS = 1, UNIT = 1 },
    },
    tolerance = attention.tolerance(TYPE),
    -- Two products; half of the scores are hidden where all of SEQ_Q = SEQ_K is causal.
    work     = {
        flops = "4 * BATCH * HEADS * SEQ_Q * SEQ_K * HEAD // (CAUSAL and 2 or 1)",
        bytes = "4 * BATCH * HEAD * (HEADS * SEQ_Q + KEY_HEADS * SEQ_K)",
    },
}
