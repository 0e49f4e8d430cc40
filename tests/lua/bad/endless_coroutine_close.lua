-- expect: 2: script ran over 3000000 instructions
local function spin() while true do end end
local co = coroutine.create(function()
    local x <close> = setmetatable({}, { __close = spin })
    spin()
end)
coroutine.resume(co)
coroutine.close(co)
spin()
