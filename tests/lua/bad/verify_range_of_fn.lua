-- expect: 12: a hone.fn reads 'HALF', which verify draws: write the constraint as an expression
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8, SCALE = 0.5 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    derive = { HALF = "N // 2" },
    verify = { { N = hone.range(1, 5000) } },
    where = {
        hone.fn({ "HALF" }, function(HALF) return HALF > 1 end),
    },
}
