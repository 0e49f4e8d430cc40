-- Random restarts and steepest descent over neighbours: a whole strategy in a coroutine.
-- hone tune kernels/sgemm.lua --strategy examples/strategies/climb.lua
local hone = require "hone"

return hone.strategy {
    description = "first improvement over adjacent values, restarts",
    run = function(search)
        while true do
            local here = search:measure(search:random())
            repeat
                local moved = false
                for _, config in ipairs(search:neighbours(here.config, "adjacent")) do
                    local trial = search:measure(config)
                    if trial.cost and (not here.cost or trial.cost < here.cost) then
                        here, moved = trial, true
                        break
                    end
                end
            until not moved
        end
    end,
}
