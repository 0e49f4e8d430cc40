-- expect: 0: the script must return hone.kernel {...} or hone.space {...}
local hone = require "hone"
