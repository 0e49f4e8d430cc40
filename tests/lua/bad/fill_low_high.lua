-- expect: 8: 'low' of hone.input is 9, above 'high', which is 8
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { fill = "integers", low = 9 }) },
}
