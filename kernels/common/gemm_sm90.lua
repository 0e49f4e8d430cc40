-- What the scripts of products by warp groups share: choices beyond those of gemm.lua,
-- tensor maps, and the space of tiles, rings, clusters and orders.
local hone = require "hone"
local gemm = require "common.gemm"

local sm90 = {}

sm90.defines = gemm.join(gemm.defines, { "STORE", "PROMOTE" })

-- As gemm.choose, with how D leaves (by tensor map, whose rows begin at multiples of 16
-- bytes, or by the threads, the first of stores unless --set STORE says so) and whether
-- each 128 of k is added up in fp32.
function sm90.choose(stores)
    local choice = gemm.choose({ "bf16", "f16", "tf32", "i8", "e4m3", "e5m2" },
                               { "bf16", "f16", "f32", "i8", "i32", "e4m3", "e5m2" },
                               gemm.join(gemm.scales, { "block" }))
    choice.STORE = hone.choice("STORE", stores)
    choice.PROMOTE = hone.choice("PROMOTE", { "false", "true" }) == "true"
    choice.direct = choice.STORE == "direct"
    choice.promoted = choice.SCALE == "block" or choice.PROMOTE
    choice.strides = gemm.strides(16 // choice.bytes,
                                  choice.direct and 1 or 16 // choice.out_bytes)
    -- C is read by threads, whose rows begin anywhere; that of one row ends with it.
    choice.strides.ldc = "N + (PAD and M > 1 and 1 or 0)"
    return choice
end

-- As gemm.problem.
function sm90.problem(choice, more)
    local problem = gemm.problem(choice, more)
    problem.STORE, problem.PROMOTE = choice.STORE, choice.PROMOTE
    problem.SMS = 0 -- multiprocessors that it may use; 0: all
    return problem
end

-- Scales of blocks, as one line.
local function scales(choice, count, box)
    return choice.SCALE == "block" and
        { size = { ("max(1, %s)"):format(count) }, box = { box } } or nil
end

-- Sizes of nothing have a map of one element, beyond which kernels read. count: matrices
-- one after another, a third axis; nil: no such axis.
local function map(columns, rows, box, stride, count)
    local all = { size = { ("max(1, %s)"):format(columns), ("max(1, %s)"):format(rows) },
                  box = box, stride = { stride }, swizzle = 128, promotion = 256 }
    if count then
        all.size[3], all.box[3] = count, "1"
        all.stride[2] = ("max(1, %s) * (%s)"):format(rows, stride)
    end
    return all
end

-- Of A, B, D and scales of blocks; count: how many matrices B has, one after another;
-- nil: one.
function sm90.maps(choice, count)
    local depth = tostring(128 // choice.bytes)
    local first, second = { "BM", "CLUSTER_N" }, { "BN", "CLUSTER_M" }
    -- A box has so many lines, a share of a tile's.
    local function lines(across, own, swapped)
        return ("(%s and %s or (SWAP == 1 and %s or %s)) // (SWAP == 1 and %s or %s)")
            :format(across, depth, swapped[1], own[1], swapped[2], own[2])
    end
    local function operand(across, outer, own, swapped, stride, matrices)
        return map(("(%s and %s or K)"):format(across, outer),
                   ("(%s and K or %s)"):format(across, outer),
                   { depth, lines(across, own, swapped) }, stride, matrices)
    end
    return {
        A = operand("TRANS_A", "M", first, second, choice.strides.lda),
        B = operand("(not TRANS_B)", "N", second, first, choice.strides.ldb, count),
        D = not choice.direct and
            map(gemm.columns, "M", { tostring(128 // choice.out_bytes), "64" },
                choice.strides.ldd) or nil,
        row_scale = scales(choice, "ceil_div(K, 128) * M", "BM"),
        column_scale = scales(choice, ("ceil_div(K, 128) * ceil_div(N, 128) * %s"):format(
            count or "1"), "4"),
    }
end

-- Sums of 8-bit floats are kept with about 13 bits by the hardware: all of K, or those of
-- each 128, whose errors are added up. Of all of K each 32 products cut up to 2^-13 off
-- what has been reached, on the way to a large sum half of it.
function sm90.tolerance(choice)
    local tolerance = gemm.tolerance(choice)
    if gemm.is_fp8(choice) then
        tolerance.absolute = gemm.absolute(choice, choice.promoted and
            "2^-13 * 128 * sqrt(ceil_div(max(K, 1), 128)) + 2^-20 * K" or
            "2^-13 * max(K, 8)")
        if not choice.promoted then
            tolerance.relative = tolerance.relative .. " + 2^-19 * K"
        end
    end
    return tolerance
end

-- New each time, as scripts add to it.
function sm90.tune()
    return {
        BM = { 64, 128, 192, 256 }, BN = hone.range(64, 256, 16), MATH = { 1, 2, 3 },
        PINGPONG = { 0, 1 }, INFLIGHT = { 0, 1 }, PANELS = { 1, 2, 4 },
        CLUSTER_M = { 1, 2 }, CLUSTER_N = { 1, 2 }, GROUP = { 1, 2, 4, 8, 16 },
        RASTER = { 0, 1 },
    }
end

-- registers: an expression, for addresses and counters.
function sm90.derive(choice, registers)
    return {
        ROWS    = "PINGPONG == 1 and BM or BM // MATH", -- a warp group's
        COLUMNS = "ACT == 'swiglu' and BN // 2 or BN",  -- of D
        STAGED  = "BN % 64 == 0 and 64 or (BN % 48 == 0 and 48 or " ..
            "(BN % 32 == 0 and 32 or 16))",
        STAGING = "MATH * (SWAP == 1 and 5120 or STORE == 'direct' and " ..
            "256 * (STAGED + 8) or PANELS * 8192)",
        STAGE   = "(BM + BN) * 128",
        SCALES  = "SCALE == 'block' and BM * 4 + (128 % BN == 0 and 128 or 256) or 0",
        STAGES  = "min(12, (device.max_shared_bytes - STAGING) // (STAGE + SCALES + 16))",
        SMEM    = "STAGES * (STAGE + SCALES + 16) + STAGING",
        CLUSTER = "CLUSTER_M * CLUSTER_N",
        BLOCKS  = "SMS > 0 and SMS or device.sm_count",
        THREADS = "128 * (MATH + 1)",
        A_STRIDE = ("(%s) * %d"):format(choice.strides.lda, choice.bytes),
        B_STRIDE = ("(%s) * %d"):format(choice.strides.ldb, choice.bytes),
        D_STRIDE = ("(%s) * %d"):format(choice.strides.ldd, choice.out_bytes),
        -- Sums, those of 64 rows more where they are promoted, and the others.
        REGS    = ("ROWS * BN // 128 + %s + %s"):format(
            choice.promoted and "BN // 2" or "0", registers),
    }
end

function sm90.where(choice)
    return {
        "device.cc_major == 9 or 'sm_90 only: use gemm_mma' == ''",
        "A_STRIDE % 16 == 0 and B_STRIDE % 16 == 0 or " ..
            "'rows of A and B begin at multiples of 16 bytes: use gemm_mma' == ''",
        "STORE == 'direct' or D_STRIDE % 16 == 0 or " ..
            "'rows of D begin at multiples of 16 bytes: --set STORE=direct' == ''",
        "PINGPONG == 0 or MATH == 2",
        ("%s or '8-bit floats alone are promoted or have scales of blocks: " ..
            "--set TYPE=e4m3' == ''"):format(not choice.promoted or gemm.is_fp8(choice)),
        ("%s or INFLIGHT == 0"):format(not choice.promoted),
        "SCALE ~= 'block' or BN <= 160 or BN == 192", -- two scales of columns
        "ROWS % 64 == 0 and ROWS * (PINGPONG == 1 and 1 or MATH) == BM",
        "REGS <= (MATH == 3 and 160 or 232)",
        -- One product's sums and operands, of the registers that a launch has.
        "MATH < 3 or BN <= 192",
        "(SWAP == 1 and not TRANS_A) or (SWAP == 0 and TRANS_B) or BN % 64 == 0",
        "SWAP == 0 or (STORE == 'direct' and SCALE ~= 'block')",
        "SWAP == 1 or BN >= 64",
        "CLUSTER <= 2",
        ("(not TRANS_A and TRANS_B) or %s or 'k contiguous in A and B, else a " ..
            "transposed copy' == ''"):format(choice.bytes == 2),
        ("STORE == 'direct' or COLUMNS >= %d"):format(128 // choice.out_bytes),
        "STORE == 'map' or PANELS == 2", -- of which there are none
        "STAGES >= 3",
    }
end

function sm90.default(choice)
    return {
        BM = 128, BN = choice.promoted and 160 or 256, MATH = 2, PINGPONG = 0,
        INFLIGHT = choice.promoted and 0 or 1, PANELS = 2, CLUSTER_M = 1, CLUSTER_N = 1,
        GROUP = 8, RASTER = 0,
    }
end

return sm90
