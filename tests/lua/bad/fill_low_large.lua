-- expect: 8: 'low' of hone.input is -200, which i8 cannot hold: it ends at -128
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "i8", "N", { fill = "integers", low = -200 }) },
}
