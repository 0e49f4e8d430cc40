local hone = require "hone"
local spent = 0
return hone.strategy {
    ask = function(search)
        spent = spent + 1
        if spent < 3 then return { search:random() } end
    end,
}
