-- A text that --set chooses while the script runs.
local hone = require "hone"

local TYPE = hone.choice("TYPE", { "bf16", "f16", "i8" })
local bytes = { bf16 = 2, f16 = 2, i8 = 1 }

return hone.space {
    problem = { TYPE = TYPE },
    tune = { DEPTH = { 64 // bytes[TYPE] } },
}
