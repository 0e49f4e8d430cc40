-- expect: 8: hone.workspace takes no 'tolerance': only outputs do
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.workspace("y", "f32", "N", { tolerance = { absolute = 1 } }) },
}
