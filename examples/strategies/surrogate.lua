-- A model in twenty lines: kernel regression over what was measured suggests what to try,
-- and what is on its way is believed to cost what is predicted.
local hone = require "hone"

return hone.strategy {
    description = "kernel regression, as a Lua script",
    ask = function(search, n)
        local model, configs = search.state.model, {}
        while model and #configs < n do
            local config = model:suggest()
            if not config then break end
            model:believe(config)
            configs[#configs + 1] = config
        end
        return configs
    end,
    tell = function(search, trials)
        search.state.model = search.state.model or hone.models.regression(search)
        search.state.model:tell(trials)
    end,
}
