-- expect: 4: 'name' in hone.kernel must be an identifier, got 'my kernel'
local hone = require "hone"
return hone.kernel {
    name = "my kernel", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
