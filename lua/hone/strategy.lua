-- hone.strategy { ... }: a search strategy, as one function that runs from start to end
-- and measures as it goes, or as ask and tell.
local check = require "hone.check"
local handle = require "hone.handle"

local strategy = {}

local known = { name = true, description = true, run = true, ask = true, tell = true }

function strategy.define(place, t)
    local owner = "hone.strategy"
    check.type(place, "what hone.strategy takes", t, "table")
    check.keys(place, owner, t, known)
    local record = {
        name = check.field(place, owner, t, "name", "string"),
        description = check.field(place, owner, t, "description", "string"),
        run = check.field(place, owner, t, "run", "function"),
        ask = check.field(place, owner, t, "ask", "function"),
        tell = check.field(place, owner, t, "tell", "function"),
    }
    if (record.run == nil) == (record.ask == nil) then
        check.fail(place, "hone.strategy needs either 'run' or 'ask'")
    end
    if record.tell and not record.ask then
        check.fail(check.at_key(place, "tell"), "'tell' in hone.strategy goes with 'ask'")
    end
    return handle.new("strategy", record)
end

return strategy
