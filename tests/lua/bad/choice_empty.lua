-- expect: 3: hone.choice 'TYPE' has no values
local hone = require "hone"
hone.choice("TYPE", {})
