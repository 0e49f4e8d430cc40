-- expect: 4: attempt to call a nil value (field 'kernal')
local hone = require "hone"

return hone.kernal {}
