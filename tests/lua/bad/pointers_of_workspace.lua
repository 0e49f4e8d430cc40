-- expect: 8: hone.workspace takes no 'pointers': only inputs and outputs do
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.workspace("x", "f32", "N", { pointers = 2 }) },
}
