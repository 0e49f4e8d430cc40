-- expect: 4: attempt to call a nil value (field 'kernal'); did you mean 'kernel'?
local hone = require "hone"

return hone.kernal {}
