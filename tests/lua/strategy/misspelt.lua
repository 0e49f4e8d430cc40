local hone = require "hone"
return hone.strategy {
    run = function(search)
        if search:unifrom() < 2 then search:measure(search:random()) end
    end,
}
