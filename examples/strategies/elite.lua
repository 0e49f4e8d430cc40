-- Ask and tell: neighbours of the five best, and something random now and then. What a
-- run learns is kept in search.state, since several runs may be under way at once.
local hone = require "hone"

local function propose(search)
    local elite = search.state
    if #elite == 0 or search:uniform() < 0.1 then return search:random() end
    local near = search:neighbours(elite[search:integer(#elite)].config)
    return near[search:integer(#near)] or search:random()
end

return hone.strategy {
    description = "neighbours of the five best",
    ask = function(search, n)
        local configs = {}
        for _ = 1, n do
            local config = propose(search)
            if config and not search:seen(config) then configs[#configs + 1] = config end
        end
        return configs
    end,
    tell = function(search, trials)
        local elite = search.state
        for _, trial in ipairs(trials) do
            if trial.cost then elite[#elite + 1] = trial end
        end
        table.sort(elite, function(a, b) return a.cost < b.cost end)
        for i = #elite, 6, -1 do elite[i] = nil end
    end,
}
