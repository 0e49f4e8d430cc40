-- What the scripts of products with weights of 4 bits share: their problem, arguments,
-- reference, tolerance and work.
local hone = require "hone"
local gemm = require "common.gemm"

local w4 = {}

w4.defines = {
    "TYPE", "OUT", "ZEROS", "ACT", "BIAS", "SCALE", "RESIDUAL", "EPILOGUE",
}

function w4.choose()
    return gemm.choose({ "f16", "bf16" }, { "f16", "bf16" })
end

-- more: sizes beside M, N, K.
function w4.problem(choice, more)
    local problem = gemm.problem(choice, { M = 16, N = 4096, K = 4096 })
    problem.TRANS_A, problem.TRANS_B = nil, nil
    problem.ZEROS = false -- groups have zero points of their own
    for name, value in pairs(more or {}) do problem[name] = value end
    return problem
end

-- Those ahead of workspaces. maps: tensor maps of A, weights, scales and zeros by these
-- names; nil: pointers.
function w4.operands(choice, lda, maps)
    maps = maps or {}
    local function words(map) -- of any bits
        return { fill = "integers", low = 0, high = 2^32 - 1, tensor_map = map }
    end
    -- Of the epilogue: C, D, bias, residual and scales; A and weights are others.
    local ended = table.move(gemm.operands(choice), 3, 8, 1, {})
    return gemm.join({
        hone.input("A", choice.input, ("max(1, (M - 1) * (%s) + K)"):format(lda),
                   { tensor_map = maps.A }),
        hone.input("weights", "u32", "max(1, K * N // 8)", words(maps.weights)),
        hone.input("scales", choice.input, "max(1, K // 128 * N)",
                   { tensor_map = maps.scales }),
        hone.input("zeros", "u32", "ZEROS and max(1, K // 128 * N // 8) or 1",
                   words(maps.zeros)),
    }, ended)
end

-- Those behind workspaces.
function w4.sizes(lda)
    return {
        hone.i32("M"), hone.i32("N"), hone.i32("K"), hone.i32("lda", lda),
        hone.i32("ldc", gemm.ldc), hone.i32("ldd", gemm.ldd),
        hone.f32("alpha", "ADD_C and 1.5 or 1"), hone.f32("beta", "ADD_C and 0.5 or 0"),
    }
end

w4.reference = {
    template = "reference/gemm_w4a16.cu", entry = "gemm_w4a16_reference",
    launch = { grid = { "ceil_div(N, 32)", "ceil_div(M, 8)" }, block = { 32, 8 } },
}

-- As gemm's, of products of at most 8 times as much, or 15 times.
function w4.tolerance(choice)
    return {
        relative = gemm.tolerance(choice).relative,
        absolute = gemm.absolute(choice, "(ZEROS and 15 or 8) * 2^-22 * max(K, 8)"),
    }
end

-- Weights once; of each group and column a scale, and half a byte.
w4.work = {
    flops = "2 * M * N * K",
    bytes = "K * N // 2 + K // 128 * N * (ZEROS and 5 or 4) // 2 + 2 * M * (K + N)",
}

return w4
