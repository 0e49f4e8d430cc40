-- expect: 3: script ran over 8388608 bytes of memory
local t = {}
for i = 1, 1e9 do t[i] = ("x"):rep(10000) end
