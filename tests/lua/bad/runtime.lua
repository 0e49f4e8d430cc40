-- expect: 3: attempt to index a nil value (global 'nothing')
local x = 1
local y = nothing.here
