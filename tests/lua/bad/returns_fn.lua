-- expect: 0: the script must return hone.kernel {...}, hone.space {...}, hone.strategy {...} or hone.campaign {...}
local hone = require "hone"
return hone.fn({ "A" }, print)
