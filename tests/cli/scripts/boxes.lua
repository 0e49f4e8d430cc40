-- y = 2 x for a matrix of f32 whose boxes come and go by tensor map, swizzled.
local hone = require "hone"

return hone.kernel {
    name = "boxes",
    template = "boxes.cu",
    problem = { N = 192, ROWS = 40 },
    tune = { HEIGHT = { 4, 8, 16 } },
    default = { HEIGHT = 8 },
    launch = { grid = { "ceil_div(N, 32)", "ceil_div(ROWS, HEIGHT)" }, block = { 128 } },
    args = { hone.input("x", "f32", "N * ROWS", {
                 tensor_map = { size = { "N", "ROWS" }, box = { 32, "HEIGHT" },
                                swizzle = 128, promotion = 128 } }),
             hone.output("y", "f32", "N * ROWS", {
                 tensor_map = { size = { "N", "ROWS" }, box = { 32, "HEIGHT" },
                                swizzle = 128 } }), hone.i32("N") },
    verify = { { N = 64, ROWS = 16 }, { N = 44, ROWS = 13 } },
    reference = { template = "boxes_reference.cu", entry = "boxes_reference",
                  launch = { grid = { "ROWS" }, block = { 1 } } },
    tolerance = { relative = 0 },
}
