-- expect: 3: hone.kernel needs 'tune'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
