-- expect: 12: unknown key 'cluster' in launch of reference
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    reference = {
        template = "copy.cu", entry = "r",
        launch = {
            grid = 1, block = 1, cluster = 2,
        },
    },
}
