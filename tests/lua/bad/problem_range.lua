-- expect: 5: 'N' in problem of hone.kernel is a range, but a problem has one value: ranges are for verify
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = hone.range(1, 8), SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
