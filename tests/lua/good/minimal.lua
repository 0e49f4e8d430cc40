local hone = require "hone"

return hone.kernel {
    name = "copy", template = "copy.cu",
    tune = { BLOCK = hone.pow2(32, 256) },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", 16), hone.output("y", "f32", 16) },
}
