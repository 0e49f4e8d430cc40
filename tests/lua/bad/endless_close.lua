-- expect: 2: script ran over 3000000 instructions
local function spin() while true do end end
local mt = { __close = spin }
while true do pcall(function() local x <close> = setmetatable({}, mt) spin() end) end
