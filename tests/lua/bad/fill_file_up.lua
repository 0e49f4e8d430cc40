-- expect: 8: file '../bad/five.bin' is not beside the script (--allow-io allows others)
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { fill = "file", file = "../bad/five.bin" }) },
}
