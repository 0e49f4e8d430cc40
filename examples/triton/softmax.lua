-- The kernel of softmax.py. Its template and space are what hone.export_triton writes.
local hone = require "hone"
local triton = require "softmax_space"

return hone.kernel {
    name      = "softmax",
    template  = "softmax.cu",
    problem   = { rows = 512, columns = 8192 },
    tune      = triton.tune, where = triton.where, default = triton.default,
    launch    = { grid = "rows", block = triton.block, shared = triton.shared },
    args      = { hone.input("x", "f32", "rows * columns"),
                  hone.output("y", "f32", "rows * columns"), hone.i32("columns") },
    reference = { template = "softmax_reference.cu", entry = "softmax_reference",
                  launch = { grid = "rows", block = 256 } },
    verify    = { { rows = 3, columns = 1000 }, { rows = 2, columns = 4097 },
                  { rows = 1, columns = 1 } },
    -- The data lie in [-1, 1], so powers are of 2^-3 to 1: good to 2^-21 with the
    -- rounding of their exponent, as is the quotient. A thread adds up to 128 positive
    -- terms, whose error has a standard deviation below 2^-21. 2^-18 is eight of that.
    tolerance = { relative = 2^-18, absolute = 0 },
    work      = { flops = "5 * rows * columns", bytes = "8 * rows * columns" },
}
