-- expect: 11: 'low' of hone.input must be a number of at most 2^53
local hone = require "hone"
string.match = function() return "i", 64 end
math.min = function() return 2.0 ^ 1000 end
math.abs = function() return 0 end
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { fill = "integers", low = 1e300,
                                           high = 1e301 }) },
}
