-- One of each kind of what hone space --lint finds in constraints and values.
local hone = require "hone"

return hone.space {
    tune = { A = { 1, 2, 3, 4 }, B = { 1, 2, 4 }, C = { false, true } },
    where = {
        "A >= 1",
        hone.fn({ "A", "B" }, function(a, b) return a + b ~= 7 end),
        "A % B == 0",
        "C or A ~= 3",
        "B ~= 4",
    },
}
