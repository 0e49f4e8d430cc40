-- y[i][k] = 2 * x[i][k] for rows that lie anywhere. MODE 1 changes its array of addresses.
local hone = require "hone"

return hone.kernel {
    name = "rows",
    template = "rows.cu",
    problem = { ROWS = 5, N = 300 },
    tune = { BLOCK = { 32, 64 }, MODE = { 0, 1 } },
    default = { BLOCK = 32, MODE = 0 },
    launch = { grid = { "ROWS" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "ROWS * N", { pointers = "ROWS" }),
             hone.output("y", "f32", "ROWS * N", { pointers = "ROWS" }), hone.i32("N") },
    verify = { { ROWS = 7, N = 100 }, { ROWS = 1, N = 33 } },
    reference = { template = "rows_reference.cu", entry = "rows_reference",
                  launch = { grid = { "ROWS" }, block = { 1 } } },
}
