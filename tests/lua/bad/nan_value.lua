-- expect: 6: value 1 of 'BLOCK' in tune of hone.kernel must be a finite number, got -nan
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 0 / 0 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
