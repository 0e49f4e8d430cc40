-- expect: 8: hone.output takes no 'early': only inputs do
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.output("y", "f32", "N", { early = true }) },
}
