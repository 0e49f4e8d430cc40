-- expect: 2: script ran over 8388608 bytes of memory
local function f(x) return 1 + f(x) end
f(1)
