-- A small space without a kernel.
local hone = require "hone"

return hone.space {
    tune = { A = { 1, 2, 4 }, B = { 1, 2, 3 }, C = { false, true } },
    where = { "A % B == 0", "C or A > 1" },
}
