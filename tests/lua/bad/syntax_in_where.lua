-- expect: 11: constraint 'BLOCK < ': column 9: expected a value, found the end
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    where = {
        "BLOCK > 1",
        "BLOCK < ",
    },
}
