-- expect: 8: 'value' of hone.input is 65505, which f16 cannot hold: it ends at 65504
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f16", "N", { fill = "constant", value = 65505 }) },
}
