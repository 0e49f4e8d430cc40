-- expect: 0: the script must return hone.kernel {...}, hone.space {...} or hone.strategy {...}
local hone = require "hone"
return hone.fn({ "A" }, print)
