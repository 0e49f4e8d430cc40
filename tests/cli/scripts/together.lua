-- Blocks that must all run at once: PER on each multiprocessor of an emu:a30, which is as
-- many as registers leave room for, or one too many.
local hone = require "hone"
local WAIT = hone.choice("WAIT", { "0", "1" })

return hone.kernel {
    name = "together",
    template = "together.cu",
    problem = { N = 1024, WAIT = WAIT },
    options = { "-DWAIT=" .. WAIT },
    tune = { PER = { 1, 8 }, K = { 2, 24, 40 } },
    default = { PER = 1, K = 24 },
    launch = { grid = "56 * PER", block = 256, cooperative = WAIT == "0" },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    reference = { template = "together.cu", entry = "together_reference",
                  launch = { grid = 1, block = 1 } },
    tolerance = { relative = 0 },
}
