-- All kernels that come with Hone at up to three of their problems, predicted for GPUs that
-- the emulator knows: scripts/predict_results.sh runs it and merges what it found.
local hone = require "hone"

local lists = {
    attention = "attention", attention_decode = "attention_decode",
    convolution = "convolution", gemm_batched = "gemm_batched",
    gemm_grouped = "gemm_grouped", gemm_mma = "gemm", gemm_w4a16 = "w4a16", layernorm = "norm",
    mla_decode = "mla_decode", nbody = "nbody", reduction = "reduction", rmsnorm = "norm",
    sgemm = "gemm", softmax = "softmax", stencil = "stencil", transpose = "transpose",
    w4_shuffle = "w4_shuffle",
}
-- Instructions of sm_90a, which other GPUs do not have.
local hopper = {
    attention_sm90 = "attention_sm90", gemm_grouped_sm90 = "gemm_grouped_sm90",
    gemm_sm90 = "gemm_sm90", gemm_w4a16_sm90 = "w4a16",
}

local kernels = {}
local function add(names, devices)
    local sorted = {}
    for name in pairs(names) do sorted[#sorted + 1] = name end
    table.sort(sorted)
    for _, name in ipairs(sorted) do
        kernels[#kernels + 1] = {
            script = "../kernels/" .. name .. ".lua",
            problems = "../kernels/problems/" .. names[name] .. ".txt",
            devices = devices,
        }
    end
end
add(lists)
add(hopper, { "emu:h100", "emu:h200" })

return hone.campaign {
    kernels = kernels,
    devices = {
        { id = "emu:a100" }, { id = "emu:h100" }, { id = "emu:h200" }, { id = "emu:rtx4090" },
    },
    budget = 60,
    most_problems = 3,
    output = ".",
    state = "../build/results.runs",
}
