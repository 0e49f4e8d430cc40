-- Keeps the model of its first search for the second.
local hone = require "hone"
local model
return hone.strategy {
    ask = function(search)
        model = model or hone.models.trees(search)
        local config = model:suggest() or search:random()
        return { config }
    end,
}
