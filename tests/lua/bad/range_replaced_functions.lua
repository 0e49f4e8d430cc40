-- expect: 4: hone.range(-9223372036854775807, 9223372036854775807, 1048576) reaches too far: sizes are drawn from fewer than 2^53 values, less than 2^63 apart
local hone = require "hone"
math.abs = function() return 0 end
local far = hone.range(-math.maxinteger, math.maxinteger, 1 << 20)
return hone.space { problem = { N = 8 }, tune = { B = far } }
