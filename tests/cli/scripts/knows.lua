-- Wrong, each, for most data, and right at the smallest size.
local hone = require "hone"

return hone.kernel {
    name = "knows", template = "knows.cu",
    problem = { N = 5000 },
    tune = { J = { 2, 19, 27, 32, 53, 79, 80, 90, 94, 127 } },
    launch = { grid = "ceil_div(N, 64)", block = 64 },
    args = { hone.input("x", "i32", "N"), hone.output("y", "i32", "N"), hone.i32("N") },
    reference = {
        template = "knows_reference.cu", entry = "knows_reference",
        launch = { grid = "ceil_div(N, 64)", block = 64 },
    },
    verify = { { N = 1 }, { N = 5000 }, { N = 20011 } },
}
