local hone = require "hone"
return hone.strategy {
    run = function(search)
        local model = hone.models.gp(search)
        local trial = search:measure(search:random())
        model:tell { config = trial.config, cost = -1 }
    end,
}
