-- The kernel of docs/templates/writing-sm90.md: hone check examples/sm90/product.lua
-- --templates templates --device emu:h100
local hone = require "hone"

local function rows(lines, count)
    local map = { size = { "K", count }, box = { "64", lines }, swizzle = 128 }
    return { tensor_map = map }
end

return hone.kernel {
    name     = "product",
    template = "product.cu",
    problem  = { M = 512, N = 512, K = 512 },
    tune     = { STAGES = { 2, 4, 8 } },
    where    = { "device.cc_major == 9", "N <= 2^31 - 128 and K <= 2^31 - 128" },
    default  = { STAGES = 4 },
    launch   = { grid = { "ceil_div(N, 128)", "ceil_div(M, 64)" }, block = "160",
                 shared = "STAGES * (24576 + 16)" },
    args     = {
        hone.input("A", "bf16", "M * K", rows("64", "M")),
        hone.input("B", "bf16", "N * K", rows("128", "N")),
        hone.inout("D", "f32", "M * N"),
        hone.i32("M"), hone.i32("N"), hone.i32("K"),
    },
    reference = { template = "product_reference.cu", entry = "product_reference",
                  launch = { grid = { "ceil_div(N, 128)", "M" }, block = "128" } },
    -- One step; ragged; more steps than stages, so that the ring of each wraps.
    verify   = { { M = 64, N = 128, K = 64 }, { M = 100, N = 150, K = 328 },
                 { M = 64, N = 128, K = 1024 } },
    tolerance = { relative = "2^-20", absolute = "2^-22 * max(K, 8)" },
    work     = { flops = "2 * M * N * K", bytes = "2 * (M * K + N * K) + 4 * M * N" },
}
