-- expect: 10: constraint 'function(b) while true do end end': script ran over 3000000 instructions
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    where = {
        hone.fn({ "BLOCK" }, function(b) while true do end end),
    },
}
