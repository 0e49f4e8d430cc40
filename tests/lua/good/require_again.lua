-- A module that could not be loaded is not being loaded.
local hone = require "hone"

local function why(name)
    local ok, message = pcall(require, name)
    assert(not ok)
    return message
end

for _, case in ipairs { { "gone", "no module 'gone'" }, { "fails", "not today" } } do
    for _ = 1, 2 do
        assert(why(case[1]):find(case[2], 1, true), why(case[1]))
    end
end

-- Nor is it where a coroutine ended over it.
for _ = 1, 2 do
    local ok, message = coroutine.resume(coroutine.create(function() require "gone" end))
    assert(not ok and message:find("no module 'gone'", 1, true), message)
end

-- A module that requires itself is told so, as often as it asks.
require "circle"

return hone.space { tune = { A = { 1 } } }
