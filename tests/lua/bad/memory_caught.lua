-- expect: 2: script ran over 3000000 instructions
while true do pcall(function() local s = ("x"):rep(5000000) .. ("y"):rep(5000000) end) end
