-- Each block fetches the tile of its neighbour in the cluster and takes its own from who
-- has it: clusters that only the launch says, of a size that is tuned: one of 1, too. It
-- needs neither a cooperative nor a dependent launch.
local hone = require "hone"
return hone.kernel {
    name = "around", template = "around.cu",
    problem = { N = 4096 },
    tune = { BLOCK = { 64 }, CX = { 1, 2, 4, 16 } },
    default = { CX = 1 },
    launch = { grid = "round_up(ceil_div(N, BLOCK), CX)", block = "BLOCK", cluster = "CX",
               cooperative = true, dependent = true },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"), hone.i32("N") },
    reference = { template = "around_reference.cu", entry = "around_reference",
                  launch = { grid = "ceil_div(N, 64)", block = 64 } },
    verify = { { N = 300 } },
}
