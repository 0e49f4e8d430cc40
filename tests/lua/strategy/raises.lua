local hone = require "hone"
return hone.strategy {
    run = function(search)
        search:measure(search:random())
        error("out of ideas")
    end,
}
