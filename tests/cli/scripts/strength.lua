-- y[0] = x[0] + x[32] + x[64] + x[96]. WAY 2 is a race, whatever was looked at before.
local hone = require "hone"

return hone.kernel {
    name = "strength",
    template = "strength.cu",
    tune = { WAY = { 0, 1, 2 } },
    default = { WAY = 0 },
    launch = { grid = 1, block = 128 },
    args = { hone.input("x", "i32", 128), hone.output("y", "i32", 1) },
    reference = { template = "strength_reference.cu", entry = "strength_reference",
                  launch = { grid = 1, block = 1 } },
}
