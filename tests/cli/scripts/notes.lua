-- With NOTES = 1 all threads store to one word, each something else, and nobody reads it.
-- The suite cli.findings adds waivers.
local hone = require "hone"

return hone.kernel {
    name = "notes",
    template = "notes.cu",
    problem = { N = 500 },
    tune = { BLOCK = { 32, 64 }, NOTES = { 0, 1 } },
    default = { BLOCK = 32, NOTES = 0 },
    launch = { grid = { "ceil_div(N, BLOCK)" }, block = { "BLOCK" } },
    args = { hone.input("x", "f32", "N"), hone.output("y", "f32", "N"),
             hone.workspace("notes", "u32", 1), hone.i32("N") },
    verify = { { N = 64 }, { N = 101 } },
    reference = { template = "notes_reference.cu", entry = "notes_reference",
                  launch = { grid = { 1 }, block = { 1 } } },
}
