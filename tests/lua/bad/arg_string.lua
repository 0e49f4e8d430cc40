-- expect: 8: argument 1 of hone.kernel must come from hone.input, hone.output, hone.inout or a scalar such as hone.i32
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { "x" },
}
