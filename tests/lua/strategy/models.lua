-- What models promise, on the bowl of 8 x 8: best at x = 5, y = 2, row 7 fails.
local hone = require "hone"

local function check(search, make)
    local model = make(search)
    assert(model:predict { x = 0, y = 0 } == nil)
    for x = 0, 7 do
        for y = 0, 7, 7 do model:tell(search:measure { x = x, y = y }) end
    end
    local trials = {}
    for y = 1, 3 do trials[y] = search:measure { x = 5, y = y } end
    model:tell(trials)
    model:tell(trials) -- known: passed over
    local near, far = model:predict { x = 5, y = 2 }, model:predict { x = 0, y = 0 }
    assert(near.cost > 0 and near.cost < far.cost, "the best is predicted to be better")
    assert(near.sd >= 0 and near.chance >= 0 and near.chance <= 1)
    assert(near.chance > model:predict({ x = 5, y = 7 }).chance)
    local first = assert(model:suggest())
    assert(not search:seen(first))
    model:believe(first)
    local second = assert(model:suggest())
    assert(second.x ~= first.x or second.y ~= first.y)
    model:forget()
end

return hone.strategy {
    run = function(search)
        for _, make in pairs(hone.models) do check(search, make) end
        while search:left() > 0 do search:measure(search:random()) end
    end,
}
