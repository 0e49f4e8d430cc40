-- What the scripts of attention share: choices, strides and the tolerance.
local hone = require "hone"

local attention = {}

-- Of queries, keys and values, the first of types unless --set TYPE says so.
function attention.type(types)
    return hone.choice("TYPE", types or { "bf16", "f16" })
end

-- Elements of a head, the first of sizes unless --set HEAD says so.
function attention.head(sizes)
    return tonumber(hone.choice("HEAD", sizes))
end

-- Elements from one token to the next.
attention.q_token = "HEADS * HEAD"
attention.k_token = "KEY_HEADS * HEAD"

attention.scale = "SCALE > 0 and SCALE or 1 / sqrt(HEAD)"

-- Q and K: products of numbers in [-1, 1] give scores that hardly differ, so weights that
-- are nearly equal, and maxima that seldom move.
attention.scored = { fill = "normal" }

-- What blocks of SMEM bytes and THREADS threads with REGS registers must keep to.
function attention.where(more)
    local all = {
        "device.cc_major >= 8 or 'sm_80 and newer' == ''",
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + RESERVED) <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    }
    for i, line in ipairs(more) do table.insert(all, i, line) end
    return all
end

-- Powers are rounded, by up to 2^-8 (f16: 2^-11) of themselves, before they weigh V,
-- which is at most 1; then outputs are rounded, twice: the reference rounds too, and to
-- the other side of a tie.
function attention.tolerance(type)
    return {
        relative = type == "bf16" and "2^-7" or "2^-10",
        absolute = type == "bf16" and "2^-8" or "2^-11",
    }
end

-- Of lse, the logarithm of a sum of powers: scores are sums of HEAD products, with errors
-- below HEAD * 2^-24 times the sum of magnitudes, about HEAD for normal numbers. Tensor
-- cores of eight bits keep 13 bits of 32 products. What follows is good to 2^-17.
function attention.lse(eight)
    return {
        tolerance = {
            relative = "2^-20",
            absolute = ("2^-16 + %s * HEAD ^ 2 * (%s)"):format(
                eight and "2^-18" or "2^-24", attention.scale),
        },
    }
end

-- Keys that there is room for: lengths are 0 to 8 times UNIT, and MORE.
local room = "max(1, 8 * UNIT + MORE)"

-- A cache of BATCH sequences, token elements a key: its elements, those of a page, and
-- the pages of a sequence.
function attention.cache(token)
    local pages = ("(PAGE > 0 and ceil_div(%s, max(PAGE, 1)) or 1)"):format(room)
    local page = ("(PAGE > 0 and PAGE or %s) * %s"):format(room, token)
    -- Pages lie apart in any order that a table tells: about four times as many as are
    -- used. Of a single one, the first, there is no more than its keys: who reads further
    -- reads what is not there.
    local elements = ("(PAGE > 0 and BATCH * %s > 1 and (4 * BATCH * %s + 4) * %s "
        .. "or BATCH * %s * %s)"):format(pages, pages, page, room, token)
    return { pages = pages, page = page, elements = elements }
end

-- Blocks that share the keys of a sequence: as the size SPLITS says, or so many that
-- blocks come to FILL a multiprocessor, as far as there are keys for each.
function attention.parts(keys)
    return ("SPLITS > 0 and SPLITS or max(1, min(FILL * device.sm_count // TILES, "
        .. "ceil_div(%s, %s)))"):format(room, keys)
end

return attention
