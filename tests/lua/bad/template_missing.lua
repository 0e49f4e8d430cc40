-- expect: 3: no template 'gone.cu' in 'tests/lua/bad', 'tests/lua/bad/../templates', 'tests/lua/extra'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "gone.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
