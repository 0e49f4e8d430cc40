-- expect: 2: script ran over 3000000 instructions
for i = 1, 1000000 do string.find(string.rep("a", 300), "a-a-b") end
