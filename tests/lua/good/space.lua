-- A space with everything a space may have.
local hone = require "hone"

return hone.space {
    problem = { N = 8 },
    tune = { A = hone.range(0, 3), B = hone.range(1.0, 2.0, 0.25), C = hone.range(3, 1, -1) },
    derive = { S = "A + C" },
    where = { "S <= N // 2" },
}
