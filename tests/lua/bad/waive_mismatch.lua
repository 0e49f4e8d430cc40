-- expect: 11: finding 'mismatch' of kernel 'k' cannot be waived: the kernel cannot go on, or its values are wrong; these can be: race, unwritten, missing_wait, scope, read_only_data, tensor_map, proxy_fence, in_flight, wgmma_fence, grid_wait
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = {
        { finding = "race", at = "k.cu:1", reason = "why" },
        { finding = "mismatch", buffer = "x", reason = "why not" },
    },
}
