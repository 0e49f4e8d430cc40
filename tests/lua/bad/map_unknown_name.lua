-- expect: 8: tensor map of argument 'x' 'BM': unknown variable 'BM'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { tensor_map = { size = { "N" }, box = { "BM" } } }) },
}
