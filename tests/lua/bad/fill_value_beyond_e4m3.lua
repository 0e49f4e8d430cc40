-- expect: 8: 'value' of hone.input is 1000000000.0, which e4m3 cannot hold: it ends at 448
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "e4m3", "N", { fill = "constant", value = 1e9 }) },
}
