-- y = w x with weights in a variable of the module, which PLACE declares in several ways.
local hone = require "hone"
local FILL = hone.choice("FILL", { "uniform", "one" })
local NAME = hone.choice("NAME", { "weights", "weihgts" })
local REFERENCE = hone.choice("REFERENCE", { "weighted", "unweighted", "none" })

return hone.kernel {
    name = "weighted",
    template = "weighted.cu",
    problem = { N = 1000, FILL = FILL, NAME = NAME, REFERENCE = REFERENCE },
    tune = { PLACE = { 0, 1, 2, 3, 4, 5 } },
    default = { PLACE = 0 },
    launch = { grid = { "ceil_div(N, 64)" }, block = { 64 } },
    args = { hone.input("x", "f32", "N"), hone.symbol(NAME, "f32", 8, { fill = FILL }),
             hone.output("y", "f32", "N"), hone.i32("N") },
    verify = { { N = 100 }, { N = 37 } },
    reference = REFERENCE ~= "none" and {
        template = REFERENCE .. "_reference.cu", entry = "weighted_reference",
        launch = { grid = { 1 }, block = { 1 } } } or nil,
    tolerance = { relative = 0 },
}
