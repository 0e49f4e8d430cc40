-- y[i] = x[i] by kernels whose inline PTX sm_80 has (WAY 0) and has not.
local hone = require "hone"

return hone.kernel {
    name = "forms",
    template = "forms.cu",
    problem = { N = 32 },
    tune = { WAY = { 0, 1, 2, 3 }, AGAIN = { 0, 1, 2 } },
    default = { WAY = 0, AGAIN = 0 },
    launch = { grid = 1, block = 32 },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N") },
    reference = { template = "forms.cu", entry = "forms_reference",
                  launch = { grid = 1, block = 32 } },
    tolerance = { relative = 0 },
}
