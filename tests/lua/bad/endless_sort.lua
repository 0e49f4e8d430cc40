-- expect: 2: script ran over 3000000 instructions
table.sort({ 1, 2, 3 }, function() while true do end end)
