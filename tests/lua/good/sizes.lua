-- Sizes to verify at that are drawn: from ranges, with a step, from lists, under
-- constraints.
local hone = require "hone"

return hone.kernel {
    name     = "sizes",
    template = "copy.cu",
    problem  = { N = 4096, M = 64, PAD = false, W = 1 },
    tune     = { BLOCK = { 32, 64, 128 } },
    derive   = { ROWS = "N // M" },
    where    = { "BLOCK <= 4 * M", "ROWS >= 0 and N ~= 77", "BLOCK > 0" },
    default  = { BLOCK = 64 },
    launch   = { grid = 1, block = "BLOCK" },
    args     = { hone.input("x", "f32", "max(N, 1)") },
    verify   = {
        { N = hone.range(1, 5000) },
        { N = 33, M = 16 },
        { N = hone.range(0, 1000000, 4), M = hone.range(32, 8, -8), PAD = { true, false },
          count = 50 },
        { N = hone.range(77, 79), M = hone.range(20, 21) },
    },
}
