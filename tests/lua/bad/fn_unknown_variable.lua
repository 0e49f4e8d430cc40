-- expect: 10: constraint 'function(b) return true end': unknown variable 'BLOK', did you mean 'BLOCK'?
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    where = {
        hone.fn({ "BLOK" }, function(b) return true end),
    },
}
