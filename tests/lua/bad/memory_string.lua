-- expect: 3: script ran over 8388608 bytes of memory
local s = "x"
while true do s = s .. s end
