local hone = require "hone"

-- Measures what is allowed, in order; the suite has the constraint x + y < 8.
return hone.strategy { run = function(search)
    for x = 0, 7 do
        for y = 0, 7 do
            local config = { x = x, y = y }
            if search:valid(config) ~= (x + y < 8) then error(x .. " " .. y) end
            if search:valid(config) then search:measure(config) end
        end
    end
end }
