-- expect: 2: script ran over 3000000 instructions
local function spin() while true do end end
while true do pcall(spin) end
