-- expect: 10: compiler option '-I/usr/include' is not allowed: folders of headers belong in the script's key 'include'
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    defines = {},
    options = { "--use_fast_math", "-I/usr/include" },
}
