-- expect: 0: the script must return hone.kernel {...}, hone.space {...} or hone.strategy {...}
local s = string.rep("", math.maxinteger)
