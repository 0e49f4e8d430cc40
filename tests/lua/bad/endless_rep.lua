-- expect: 0: the script must return hone.kernel {...} or hone.space {...}
local s = string.rep("", math.maxinteger)
