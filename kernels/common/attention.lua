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
        "SMEM <= device.max_shared_bytes",
        "REGS <= device.max_registers_per_thread",
        "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
        "MIN_BLOCKS * (SMEM + RESERVED) <= device.shared_bytes_per_sm",
        "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
    }
    for i, line in ipairs(more) do table.insert(all, i, line) end
    return all
end

-- Powers are rounded, by up to 2^-9 (f16: 2^-12) of themselves, before they weigh V,
-- which is at most 1; then outputs are rounded, twice: the reference rounds too, and to
-- the other side of a tie.
function attention.tolerance(type)
    return {
        relative = type == "bf16" and "2^-7" or "2^-10",
        absolute = type == "bf16" and "2^-9" or "2^-12",
    }
end

return attention
