-- Measures the same configuration again and again: answered from what is known.
local hone = require "hone"
return hone.strategy {
    run = function(search)
        local first = search:measure { x = 3, y = 3 }
        for _ = 1, 50 do
            local again = search:measure { x = 3, y = 3 }
            assert(again.cost == first.cost and again.outcome == first.outcome)
        end
        for x = 0, 7 do search:measure { x = x, y = 0 } end
    end,
}
