-- expect: 9: derived value 'A' depends on itself: A -> B -> A
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N") },
    derive = { A = "B + 1",
        B = "A + 1" },
}
