-- y[i] = i mod 256: among the results is every value that an output may hold beforehand.
local hone = require "hone"

return hone.kernel {
    name = "bytes",
    template = "bytes.cu",
    problem = { N = 65536 },
    tune = { BLOCK = { 64, 128, 256 } },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.output("y", "u8", "N"), hone.i32("N") },
    verify = { { N = 1000 } },
    reference = { template = "bytes.cu", entry = "bytes",
                  launch = { grid = { "ceil_div(N, 64)" }, block = { 64 } } },
}
