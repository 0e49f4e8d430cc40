-- expect: 4: script ran over 3000000 instructions
local x = 0
while true do
    x = x + 1
end
