-- expect: 2: script ran over 3000000 instructions
coroutine.wrap(function() while true do end end)()
