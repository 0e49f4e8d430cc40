-- expect: 2: bad argument #2 to 'setmetatable' (scripts have no finalizers (__gc))
setmetatable({}, { __gc = function() while true do end end })
