-- expect: 8: 'value' of hone.input is 300.0, which u8 cannot hold: it ends at 255
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "u8", "N", { fill = "constant", value = 300.0 }) },
}
