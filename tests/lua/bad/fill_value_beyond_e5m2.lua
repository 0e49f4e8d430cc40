-- expect: 8: 'value' of hone.input is -57345, which e5m2 cannot hold: it ends at -57344
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "e5m2", "N", { fill = "constant", value = -57345 }) },
}
