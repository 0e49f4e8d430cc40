-- expect: 2: script ran over 3000000 instructions
local function spin() while true do end end
coroutine.wrap(function()
    local x <close> = setmetatable({}, { __close = spin })
    spin()
end)()
