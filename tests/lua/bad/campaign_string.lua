-- expect: 3: what hone.campaign takes must be a table, got a string
local hone = require "hone"
return hone.campaign "sgemm"
