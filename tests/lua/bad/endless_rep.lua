-- expect: 0: the script must return hone.kernel {...}, hone.space {...}, hone.strategy {...} or hone.campaign {...}
local s = string.rep("", math.maxinteger)
