-- expect: 3: template '../../base/x.cu' leads out of the template folders (--allow-io allows it)
local hone = require "hone"
return hone.kernel {
    name = "k", template = "../../base/x.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
}
