-- expect: 9: second argument of hone.fn must be a function, got a string
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    where = { hone.fn({ "BLOCK" }, "BLOCK > 1") },
}
