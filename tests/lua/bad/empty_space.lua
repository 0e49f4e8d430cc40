-- expect: 9: no configuration is valid: constraint 'BLOCK > 1000' rejects all that are left
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    where = { "BLOCK > 1000" },
}
