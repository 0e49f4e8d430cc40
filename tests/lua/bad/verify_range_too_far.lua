-- expect: 8: hone.range(1, 4611686018427387904, 1) reaches too far: sizes are drawn from fewer than 2^53 values, less than 2^63 apart
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    verify = { { N = hone.range(1, 1 << 62) } },
    args = { hone.input("x", "f32", "N") },
}
