-- A kernel whose branches follow its data, which --set FILL and STEP choose.
local hone = require "hone"
local FILL = hone.choice("FILL", { "constant", "uniform", "zero" })
local STEP = tonumber(hone.choice("STEP", { "1", "64" }))

return hone.kernel {
    name = "turns",
    template = "turns.cu",
    problem = { N = 65536, FILL = FILL, STEP = tostring(STEP) },
    tune = { LIMIT = { 64 } },
    default = { LIMIT = 64 },
    launch = { grid = { "ceil_div(N, 128)" }, block = { 128 } },
    args = { hone.input("x", "f32", "N", {
                 fill = FILL, value = FILL == "constant" and STEP or nil }),
             hone.output("y", "f32", "N"), hone.i32("N") },
}
