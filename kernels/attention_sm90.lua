-- Attention forward on the tensor cores of sm_90a by wgmma: queries, keys and values by
-- tensor map, warp groups that overlap the softmax with products and take turns, a
-- persistent grid. What is computed is chosen by --set: TYPE, HEAD, HEAD_V, CAUSAL,
-- LOCAL, SOFTCAP, VARLEN. See docs/templates/attention_sm90.md.
local hone = require "hone"
local attention = require "common.attention"

local TYPE = attention.type { "bf16", "f16", "e4m3" }
local EIGHT = TYPE == "e4m3" -- bits
local OUT = hone.choice("OUT", EIGHT and { "bf16", "f16" } or { TYPE })
local HEAD = attention.head { "128", "64", "96", "192", "256" }
local HEAD_V = tonumber(hone.choice("HEAD_V", HEAD == 192 and { "128", "192" } or
    { tostring(HEAD) }))
local CAUSAL = hone.choice("CAUSAL", { "true", "false" }) == "true"
local SOFTCAP = hone.choice("SOFTCAP", { "false", "true" }) == "true"

-- Elements from one token to the next; of O any number.
local apart = EIGHT and 16 or 8 -- elements of 16 bytes
local q_token = ("%s + (PAD and %d or 0)"):format(attention.q_token, apart)
local k_token = ("%s + (PAD and %d or 0)"):format(attention.k_token, apart)
local v_token = ("KEY_HEADS * HEAD_V + (PAD and %d or 0)"):format(2 * apart)
local o_token = "HEADS * HEAD_V + (PAD and 1 or 0)"
-- Tokens and sequences of a map: with VARLEN what sequences take at most, of both kinds,
-- is one.
local function tokens(length)
    return ("(VARLEN and (4 * BATCH + 4) * UNIT or %s)"):format(length)
end
local q_tokens, k_tokens = tokens("SEQ_Q"), tokens("SEQ_K")
local sequences = "(VARLEN and 1 or BATCH)"
local longest = "(VARLEN and 8 * UNIT or SEQ_Q)" -- queries of a sequence

local function map(head, heads, length, token, rows)
    return {
        size = { head, heads, ("max(1, %s)"):format(length), sequences },
        box = { tostring(8 * apart), "1", rows, "1" },
        stride = { head, token, ("max(1, %s) * (%s)"):format(length, token) },
        swizzle = 128, promotion = 256,
    }
end
local scales = EIGHT and "BATCH * KEY_HEADS" or "1" -- of 16 bits nothing reads them
local function elements(length, token)
    return ("max(1, %s * %s * (%s))"):format(sequences, length, token)
end
-- Of 8 bits sequences of K have a multiple of 16 tokens, and their rows in shared memory
-- stand as the powers of scores do in registers: common/attention_copier.cuh.
local k_row = "ceil_div(max(1, SEQ_K), 16)"
local k_map = not EIGHT and map("HEAD", "KEY_HEADS", k_tokens, k_token, "BLOCK_N") or {
    size = { "KEY_HEADS * HEAD", "2", "4", "2", ("BATCH * %s"):format(k_row) },
    box = { "128", "2", "4", "2", "BLOCK_N // 16" },
    stride = { k_token, ("4 * (%s)"):format(k_token), ("2 * (%s)"):format(k_token),
               ("16 * (%s)"):format(k_token) },
    swizzle = 128, promotion = 256,
}
local k_elements = EIGHT and ("BATCH * %s * 16 * (%s)"):format(k_row, k_token) or
    elements(k_tokens, k_token)
-- V has tokens contiguous, rows of v_row elements each.
local v_row = "ceil_div(max(1, SEQ_K), 16) * 16 + (PAD and 16 or 0)"
local v_map = not EIGHT and map("HEAD_V", "KEY_HEADS", k_tokens, v_token, "BLOCK_N") or {
    size = { "max(1, SEQ_K)", "HEAD_V", "KEY_HEADS", "BATCH" },
    box = { "128", "HEAD_V", "1", "1" },
    stride = { v_row, ("HEAD_V * (%s)"):format(v_row),
               ("KEY_HEADS * HEAD_V * (%s)"):format(v_row) },
    swizzle = 128, promotion = 256,
}
local v_elements = EIGHT and ("BATCH * KEY_HEADS * HEAD_V * (%s)"):format(v_row) or
    elements(k_tokens, v_token)
local function scored(of)
    return { fill = attention.scored.fill, tensor_map = of }
end

-- FlashAttention-3's tiles, as far as registers hold them.
local tile = ({
    [64] = { BLOCK_N = SOFTCAP and 112 or 128, MATH = 3 },
    [96] = { BLOCK_N = 144, MATH = 2 },
    [128] = { BLOCK_N = CAUSAL and 128 or SOFTCAP and 160 or 176, MATH = 2 },
    [192] = { BLOCK_N = HEAD_V == 128 and 128 or 112, MATH = 2 },
    [256] = { BLOCK_N = 80, MATH = 2 },
})[HEAD]
if EIGHT then
    tile = ({
        [64] = { BLOCK_N = SOFTCAP and 128 or 160, MATH = 3 },
        [96] = { BLOCK_N = SOFTCAP and 192 or 224, MATH = 2 },
        [128] = { BLOCK_N = SOFTCAP and 192 or 224, MATH = 2 },
        [192] = { BLOCK_N = 128, MATH = 2 },
        [256] = { BLOCK_N = 96, MATH = 2 },
    })[HEAD]
end

-- Powers of 8 bits are rounded by up to 2^-4 of themselves, those below 2^-14 of the
-- highest by 2^-18 of it; the hardware keeps about 13 bits of sums, of 32 keys each.
local tolerance = EIGHT and {
    relative = "2^-7", absolute = "2^-4 + 2^-18 * SEQ_K + 2^-13 * ceil_div(SEQ_K, 32)",
} or attention.tolerance(TYPE)
local size = EIGHT and 1 or 2 -- bytes

return hone.kernel {
    name     = "attention_sm90",
    template = "attention_sm90.cu",
    -- Prompts of a model with 8 billion parameters.
    problem  = {
        TYPE = TYPE, OUT = OUT, HEAD = HEAD, HEAD_V = HEAD_V, CAUSAL = CAUSAL,
        LOCAL = false, SOFTCAP = SOFTCAP, VARLEN = false,
        BATCH = 2, SEQ_Q = 8192, SEQ_K = 8192, HEADS = 32, KEY_HEADS = 8,
        UNIT = 1024, -- with VARLEN sequences have 0 to 8 times as many tokens
        WINDOW = 4096, CAP = 50.0, -- used with LOCAL, with SOFTCAP
        SCALE = 0.0, -- of scores; 0: 1 / sqrt(HEAD)
        PAD = false, -- tokens are further apart, those of O so that few are aligned
        SMS = 0,     -- multiprocessors that it may use; 0: all
    },
    defines  = {
        "TYPE", "OUT", "HEAD", "HEAD_V", "CAUSAL", "LOCAL", "SOFTCAP", "VARLEN",
    },
    tune     = {
        BLOCK_N = hone.range(32, 256, EIGHT and 32 or 16), MATH = { 1, 2, 3 },
        STAGES = { 2, 3, 4 }, OVERLAP = { 0, 1 }, PINGPONG = { 0, 1 },
        PERSISTENT = { 0, 1 },
        HEAD_GROUP = { 1, 4, 8, 16, 64 }, LONGEST_FIRST = CAUSAL and { 0, 1 } or { 0 },
    },
    derive   = {
        BLOCK_M = "64 * MATH",
        THREADS = "128 * (MATH + 1)",
        KEY_ROW = ("128 * ceil_div(HEAD, %d)"):format(8 * apart), -- bytes
        OUT_ROW = "128 * ceil_div(HEAD_V, 64)",
        VALUES  = EIGHT and "128 * ceil_div(BLOCK_N, 128) * HEAD_V" or
            "BLOCK_N * OUT_ROW",
        SMEM    = "max(KEY_ROW, OUT_ROW) * BLOCK_M + " ..
            "STAGES * (BLOCK_N * KEY_ROW + VALUES + 32) + 24",
        -- Outputs, scores, powers, and some for addresses and the softmax.
        REGS    = ("HEAD_V // 2 + BLOCK_N // 2 + OVERLAP * BLOCK_N // %d + %d"):format(
            EIGHT and 8 or 4, EIGHT and 28 or 32),
        BLOCKS  = "SMS > 0 and SMS or device.sm_count",
        TASKS   = ("ceil_div(%s, BLOCK_M) * HEADS * BATCH"):format(longest),
    },
    where    = {
        "device.cc_major == 9 or 'sm_90 only: use attention' == ''",
        "SMEM <= device.max_shared_bytes",
        "REGS <= (MATH == 3 and 160 or 232)",
        "PINGPONG == 0 or MATH >= 2",
        ("not VARLEN or %s or '16 bits alone have VARLEN: --set TYPE=bf16' == ''"):format(
            not EIGHT),
        "TASKS <= 1073741824",
    },
    default  = {
        BLOCK_N = tile.BLOCK_N, MATH = tile.MATH, STAGES = 2, OVERLAP = 1, PINGPONG = 1,
        PERSISTENT = 1, HEAD_GROUP = 8, LONGEST_FIRST = CAUSAL and 1 or 0,
    },
    launch   = {
        grid = "PERSISTENT == 1 and min(BLOCKS, TASKS) or TASKS",
        block = "THREADS", shared = "SMEM",
    },
    args     = {
        hone.input("Q", TYPE, elements(q_tokens, q_token),
                   scored(map("HEAD", "HEADS", q_tokens, q_token, "BLOCK_M"))),
        hone.input("K", TYPE, k_elements, scored(k_map)),
        hone.input("V", TYPE, v_elements, { tensor_map = v_map }),
        hone.inout("O", OUT, elements(q_tokens, o_token)),
        hone.inout("lse", "f32", ("HEADS * %s * %s"):format(sequences, q_tokens),
                   attention.lse(EIGHT)),
        hone.input("score_scale", "f32", scales,
                   { fill = "integers", low = 1, high = 2 }),
        hone.input("value_scale", "f32", scales),
        hone.input("starts_q", "i32", "BATCH + 1", { fill = "offsets" }),
        hone.input("starts_k", "i32", "BATCH + 1", { fill = "offsets" }),
        hone.i32("unit", "UNIT"), hone.i32("seq_q", longest), hone.i32("seq_k", "SEQ_K"),
        hone.i32("sequences", "BATCH"), hone.i32("heads", "HEADS"),
        hone.i32("group", "HEADS // KEY_HEADS"),
        hone.i32("q_token", q_token), hone.i32("q_head", "HEAD"),
        hone.i32("k_token", k_token), hone.i32("k_head", "HEAD"),
        hone.i32("v_token", EIGHT and "1" or v_token),
        hone.i32("v_head", EIGHT and ("HEAD_V * (%s)"):format(v_row) or "HEAD_V"),
        hone.i32("v_element", EIGHT and v_row or "1"),
        hone.i64("k_sequence", EIGHT and ("%s * 16 * (%s)"):format(k_row, k_token) or
            ("SEQ_K * (%s)"):format(k_token)),
        hone.i64("v_sequence", EIGHT and ("KEY_HEADS * HEAD_V * (%s)"):format(v_row) or
            ("SEQ_K * (%s)"):format(v_token)),
        hone.i32("o_token", o_token), hone.i32("o_head", "HEAD_V"),
        hone.i64("lse_head", ("%s * %s"):format(sequences, q_tokens)),
        hone.i32("window", "WINDOW"), hone.f32("scale", attention.scale),
        hone.f32("cap", "CAP"),
    },
    reference = {
        template = "reference/attention_sm90.cu", entry = "attention_sm90_reference",
        launch = { grid = { longest, "HEADS", "BATCH" }, block = { 32 } },
    },
    -- Several tiles and blocks with several of them, scores that differ much; unaligned
    -- outputs, and fewer keys than queries, so that some see none with CAUSAL; rings that
    -- wrap, on one block; one key; none.
    verify   = {
        { BATCH = 1, SEQ_Q = 300, SEQ_K = 328, HEADS = 2, KEY_HEADS = 1, SCALE = 0.5,
          WINDOW = 70, UNIT = 37, SMS = 2 },
        { BATCH = 2, SEQ_Q = 75, SEQ_K = 49, HEADS = 2, KEY_HEADS = 2, PAD = true,
          WINDOW = 10, UNIT = 7, SMS = 3 },
        { BATCH = 1, SEQ_Q = 1, SEQ_K = 1601, HEADS = 3, KEY_HEADS = 3, WINDOW = 800,
          UNIT = 3, SMS = 1 },
        { BATCH = 3, SEQ_Q = 1, SEQ_K = 1, HEADS = 3, KEY_HEADS = 1, UNIT = 1, SMS = 1 },
        { BATCH = 1, SEQ_Q = 3, SEQ_K = 0, HEADS = 1, KEY_HEADS = 1, UNIT = 1 },
    },
    tolerance = tolerance,
    -- Two products; half of the scores are hidden where all of SEQ_Q = SEQ_K is causal.
    work     = {
        flops = "2 * BATCH * HEADS * SEQ_Q * SEQ_K * (HEAD + HEAD_V) // " ..
            "(CAUSAL and 2 or 1)",
        bytes = ("BATCH * (%d * (HEAD + HEAD_V) * KEY_HEADS * SEQ_K + " ..
            "(%d * HEAD + 2 * HEAD_V) * HEADS * SEQ_Q)"):format(size, size),
    },
}
