-- A range that was changed is the list that it became.
local hone = require "hone"
local sizes = hone.range(1, 8)
sizes[4] = 100

return hone.kernel {
    name = "changed",
    template = "copy.cu",
    problem = { N = 64 },
    tune = { BLOCK = { 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    verify = { { N = sizes, count = 8 } },
}
