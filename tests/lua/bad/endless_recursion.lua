-- expect: 2: script ran over 3000000 instructions
local function f() return f() end
f()
