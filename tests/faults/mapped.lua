-- y = 2 x for a matrix that is passed as tensor maps, whose boxes are tuned. A map allows
-- no box of more than 256 elements.
local hone = require "hone"

return hone.kernel {
    name = "mapped",
    template = "mapped.cu",
    problem = { N = 64, ROWS = 10 },
    tune = { BOX = { 32, 64, 128, 512 } },
    default = { BOX = 32 },
    launch = { grid = { "ROWS" }, block = { "BOX" } },
    args = { hone.input("x", "f32", "N * ROWS", {
                 tensor_map = { size = { "N", "ROWS" }, box = { "BOX", 2 }, promotion = 128 } }),
             hone.output("y", "f32", "N * ROWS", {
                 tensor_map = { size = { "N", "ROWS", 1 }, box = { "BOX", 1, 1 },
                                stride = { "N", "N * ROWS" }, nan_fill = true } }),
             hone.i32("N"), hone.i32("ROWS") },
    verify = { { N = 32, ROWS = 3 } },
    reference = { template = "mapped_reference.cu", entry = "mapped_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
    tolerance = { relative = 0 },
}
