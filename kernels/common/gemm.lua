-- What the scripts of matrix products share: element types, what happens to sums on
-- their way to D (templates/common/epilogue.cuh), and the arguments that belong to it.
local hone = require "hone"

local gemm = {}

-- Bytes of an element; what buffers hold; what D is by default.
gemm.types = {
    f64  = { bytes = 8, buffer = "f64", out = "f64" },
    f32  = { bytes = 4, buffer = "f32", out = "f32" },
    bf16 = { bytes = 2, buffer = "bf16", out = "bf16" },
    f16  = { bytes = 2, buffer = "f16", out = "f16" },
    tf32 = { bytes = 4, buffer = "f32", out = "f32" },
    i8   = { bytes = 1, buffer = "i8", out = "i32" },
    e4m3 = { bytes = 1, buffer = "e4m3", out = "bf16" },
    e5m2 = { bytes = 1, buffer = "e5m2", out = "bf16" },
}

gemm.out_bytes = {
    f64 = 8, f32 = 4, i32 = 4, f16 = 2, bf16 = 2, e4m3 = 1, e5m2 = 1, i8 = 1,
}

-- Rounding of D, twice: the reference rounds too, and to the other side of a tie.
local rounding = {
    f64 = "2^-52", f32 = "2^-20", f16 = "2^-10", bf16 = "2^-7", e4m3 = "2^-3",
    e5m2 = "2^-2", i8 = "0", i32 = "0",
}

-- bound, of sums before they are rounded to D, and what lies between neighbours next to 0
-- where that may be more.
function gemm.absolute(choice, bound)
    local step = ({ e4m3 = "2^-9 + ", e5m2 = "2^-16 + " })[choice.OUT]
    return (step or "") .. bound
end

-- One after another, first the preferred one.
local function first(list, preferred)
    local result = { preferred }
    for _, value in ipairs(list) do
        if value ~= preferred then result[#result + 1] = value end
    end
    return result
end

gemm.scales = { "none", "tensor", "row", "column", "both" }

-- The choices that --set makes, and what follows from them. types: the names of inputs;
-- scales: where there are others.
function gemm.choose(types, outs, scales)
    local TYPE = hone.choice("TYPE", types)
    local OUT = hone.choice("OUT", first(outs, gemm.types[TYPE].out))
    local wide = { e4m3 = true, e5m2 = true, i8 = true }
    return {
        TYPE = TYPE, OUT = OUT, bytes = gemm.types[TYPE].bytes,
        out_bytes = gemm.out_bytes[OUT], input = gemm.types[TYPE].buffer,
        side = wide[OUT] and "bf16" or OUT, -- of C, bias and residual
        ACT = hone.choice("ACT", {
            "none", "relu", "gelu_tanh", "gelu_erf", "silu", "swiglu",
        }),
        BIAS = hone.choice("BIAS", { "none", "row", "column" }),
        SCALE = hone.choice("SCALE", scales or gemm.scales),
    }
end

-- The problem of one product, with the choices; more: further sizes.
function gemm.problem(choice, more)
    local problem = {
        TYPE = choice.TYPE, OUT = choice.OUT, ACT = choice.ACT, BIAS = choice.BIAS,
        SCALE = choice.SCALE, RESIDUAL = false, EPILOGUE = "", TRANS_A = false,
        TRANS_B = true,
        ADD_C = false, -- alpha = 1.5 and beta = 0.5, not 1 and 0
        PAD = false, -- stored rows are an element longer, so that few are aligned
    }
    if not choice.strides then -- but for those of A and C, of B and D
        problem.ALIGN_AC, problem.ALIGN_BD = false, false
    end
    for name, value in pairs(more) do problem[name] = value end
    return problem
end

gemm.defines = {
    "TYPE", "OUT", "ACT", "BIAS", "SCALE", "RESIDUAL", "EPILOGUE", "TRANS_A", "TRANS_B",
}

-- Columns of D, and elements from one row to the next.
gemm.columns = "(ACT == 'swiglu' and N // 2 or N)"

local widths = {
    lda = "(TRANS_A and M or K)", ldb = "(TRANS_B and K or N)",
    ldc = "N", ldd = gemm.columns,
}

-- Of rows so wide that begin at multiples of unit elements, with PAD a unit longer.
local function padded(width, unit)
    if unit == 1 then return ("%s + (PAD and 1 or 0)"):format(width) end
    return ("(PAD and ceil_div(%s, %d) * %d + %d or %s)"):format(width, unit, unit, unit,
                                                                 width)
end

-- With PAD the rows of A and B, those of D, begin at multiples of so many elements.
function gemm.strides(unit, out_unit)
    return {
        lda = padded(widths.lda, unit), ldb = padded(widths.ldb, unit),
        ldc = padded(widths.ldc, out_unit), ldd = padded(widths.ldd, out_unit),
    }
end

-- Rows that begin anywhere, or at multiples of 16 elements as the problem says.
for name, width in pairs(widths) do
    local aligned = (name == "lda" or name == "ldc") and "ALIGN_AC" or "ALIGN_BD"
    gemm[name] = ("(%s and round_up(%s, 16) or %s)"):format(aligned, width,
                                                           padded(width, 1))
end

-- Elements of count matrices, of which the last row ends with its width: a load behind it
-- is out of bounds.
local function sized(count, rows, stride, width)
    return ("max(1, (%s * (%s) - 1) * (%s) + %s)"):format(count, rows, stride, width)
end

-- What tiles and warps of the tensor cores must be, before anything else.
gemm.where = {
    "device.cc_major >= 8 or 'sm_80 and newer: use sgemm' == ''",
    "BM % WM == 0 and BN % WN == 0",
    "THREADS <= device.max_threads_per_block",
    "REGPIPE == 1 or BK >= 64",
    -- 8-bit types: sm_89 has fp8, and no transposing load takes single bytes.
    "TYPE ~= 'e4m3' and TYPE ~= 'e5m2' or device.cc_major * 10 + device.cc_minor >= 89",
    "SMEM <= device.max_shared_bytes",
    "REGS <= device.max_registers_per_thread",
    "MIN_BLOCKS * THREADS <= device.max_threads_per_sm",
    "MIN_BLOCKS * (SMEM + device.reserved_shared_bytes) <= device.shared_bytes_per_sm",
    "MIN_BLOCKS * THREADS * REGS <= device.registers_per_sm",
}

function gemm.is_fp8(choice)
    return choice.TYPE == "e4m3" or choice.TYPE == "e5m2"
end

-- A, B, C, D and what else the epilogue reads. count: how many of them lie one after
-- another, b_count: of B where it differs; what is not read has one element. pointers:
-- of that many of them the kernel gets an array of pointers; nil: a pointer to the first.
-- choice.groups: how many vectors of columns there are, where it is not one.
-- maps: tensor maps of arguments by their names; nil: none.
function gemm.operands(choice, count, b_count, pointers, maps)
    count, maps = count or "1", maps or {}
    local groups = choice.groups and " * " .. choice.groups or ""
    local strides = choice.strides or gemm
    local function size(number, rows, stride, width)
        return sized(number, rows, stride, pointers and stride or width) -- equal parts
    end
    local d_size = size(count, "M", strides.ldd, gemm.columns)
    -- In [-1, 1] eight bits have five exponents; what models multiply has most of them.
    local fill = gemm.is_fp8(choice) and "normal" or nil
    local function by(map, data)
        return { pointers = pointers, tensor_map = map, fill = data }
    end
    return {
        hone.input("A", choice.input, size(count, "TRANS_A and K or M", strides.lda,
                                            "(TRANS_A and M or K)"),
                   by(maps.A, fill)),
        hone.input("B", choice.input,
                   size(b_count or count, "TRANS_B and N or K", strides.ldb,
                        "(TRANS_B and K or N)"),
                   by(maps.B, fill)),
        hone.input("C", choice.side,
                   "ADD_C and " .. size(count, "M", strides.ldc, "N") .. " or 1", by()),
        hone.inout("D", choice.OUT, d_size, by(maps.D)),
        hone.input("bias", choice.side,
                   "BIAS == 'row' and M or BIAS == 'column' and N" .. groups .. " or 1"),
        hone.input("residual", choice.side,
                   "RESIDUAL and " .. d_size .. " or 1", by()),
        hone.input("row_scale", "f32",
                   "SCALE == 'block' and max(1, ceil_div(K, 128) * M) or " ..
                       "(SCALE == 'row' or SCALE == 'both') and M or 1",
                   by(maps.row_scale)),
        hone.input("column_scale", "f32",
                   "(SCALE == 'block' and max(1, ceil_div(K, 128) * ceil_div(N, 128)) " ..
                       "or (SCALE == 'column' or SCALE == 'both') and N or 1)" .. groups,
                   by(maps.column_scale)),
    }
end

-- Sizes and factors, but for M, which comes first. OUT: where it may be f64. strides:
-- where they differ from gemm's.
function gemm.sizes(OUT, strides)
    local real = OUT == "f64" and hone.f64 or hone.f32
    strides = strides or gemm
    return {
        hone.i32("N"), hone.i32("K"), hone.i32("lda", strides.lda),
        hone.i32("ldb", strides.ldb), hone.i32("ldc", strides.ldc),
        hone.i32("ldd", strides.ldd), real("alpha", "ADD_C and 1.5 or 1"),
        real("beta", "ADD_C and 0.5 or 0"),
    }
end

-- Sums in fp32 of K products of at most 1 (64 of i8, exact; those of fp8, which are
-- normal, are about 3 times as large): each addition rounds by up to 2^-24 (fp64 2^-53)
-- of what has been reached, tensor cores by up to twice that.
-- Activations bend by less than 2. exact: an expression; where it holds all bits must
-- agree.
function gemm.tolerance(choice, exact)
    if choice.TYPE == "i8" and choice.OUT == "i32" then
        return { relative = 0, absolute = 0 }
    end
    return {
        scale = exact and exact .. " and 0 or 1" or nil,
        relative = rounding[choice.OUT],
        absolute = choice.OUT == "i8" and 1
            or choice.OUT == "f64" and "2^-50 * max(K, 8)"
            or gemm.absolute(choice, (gemm.is_fp8(choice) and "2^-20" or "2^-22")
                .. " * max(K, 8)"),
    }
end

-- So many elements along k that the ring of every configuration wraps: one of SPLIT_K
-- shares has more than STAGES tiles. size: an element's, in what tune.BK counts in.
function gemm.wrapping_depth(tune, size)
    local splits = tune.SPLIT_K and math.max(table.unpack(tune.SPLIT_K)) or 1
    local stages = math.max(table.unpack(tune.STAGES))
    return math.max(table.unpack(tune.BK)) // size * (stages * splits + 1)
end

-- Least traffic of a product: each matrix once. rows: of A and D, unless M; matrices: how
-- many B are, unless one.
function gemm.bytes(choice, rows, matrices)
    rows = rows or "M"
    local b = matrices and matrices .. " * K * N" or "K * N"
    return ("%d * (%s * K + %s) + %d * %s * N"):format(choice.bytes, rows, b,
                                                       choice.out_bytes, rows)
end

-- What the kernels on tensor cores have in common, on top of which each says its own.
-- default: where it differs.
function gemm.on_tensor_cores(choice, default)
    -- sm_90 widens fp8 for mma.sync, in registers that warps of 64 x 64 do not have.
    local fp8 = gemm.is_fp8(choice)
    local all = {
        BM = 128, BN = 128, BK = 64, WM = fp8 and 32 or 64, WN = 64, STAGES = 4,
        REGPIPE = 2, GROUP_M = 8, STAGE_D = 1, PREFETCH = 128, MIN_BLOCKS = 1,
    }
    for name, value in pairs(default or {}) do all[name] = value end
    return {
        tune = {
            BM = { 16, 32, 64, 96, 128, 192, 256 }, BN = { 32, 64, 96, 128, 192, 256 },
            BK = { 32, 64, 128 }, -- bytes
            WM = { 16, 32, 48, 64, 96, 128 }, WN = { 16, 32, 48, 64, 96, 128 },
            STAGES = hone.range(2, 6), REGPIPE = { 1, 2 }, GROUP_M = { 1, 4, 8, 16 },
            STAGE_D = { 0, 1 }, PREFETCH = { 0, 128, 256 }, MIN_BLOCKS = { 1, 2, 3 },
        },
        derive = {
            THREADS = "32 * (BM // WM) * (BN // WN)",
            STAGING = "STAGE_D * THREADS * 2 * (WN + 8)",
            SMEM    = "max(STAGES * (BM + BN) * BK, STAGING)",
            -- Sums, fragments, and some for addresses and counters.
            REGS    = "WM * WN // 32 + REGPIPE * (WM + WN) // 4 + 40",
        },
        where = gemm.where,
        default = all,
    }
end

-- All lists one after another.
function gemm.join(...)
    local all = {}
    for _, list in ipairs { ... } do
        for _, value in ipairs(list) do all[#all + 1] = value end
    end
    return all
end

return gemm
