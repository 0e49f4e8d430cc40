-- expect: 3: script ran over 3000000 instructions
while true do
    coroutine.resume(coroutine.create(function() while true do end end))
end
