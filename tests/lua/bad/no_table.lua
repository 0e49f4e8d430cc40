-- expect: 3: hone.kernel takes a table: hone.kernel { ... }
local hone = require "hone"
return hone.kernel("k")
