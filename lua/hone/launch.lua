-- The table under launch = { ... } becomes a record, as definition.lua has others.
local check = require "hone.check"
local format, ipairs, type = string.format, ipairs, type

-- One axis may stand for all: grid = "N" is grid = { "N" }.
local function axes(place, what, value)
    if type(value) ~= "table" then value = { value } end
    local list = check.list(place, what, value)
    if #list == 0 or #list > 3 then
        check.fail(place, "%s needs 1 to 3 expressions", what)
    end
    for i, axis in ipairs(list) do
        list[i] = check.expression(place, format("axis %d of %s", i, what), axis)
    end
    return list
end

-- plain: it has but grid, block and shared, as a reference's launch.
return function(place, owner, t, plain)
    place = check.at_key(place, "launch")
    local known = { grid = true, block = true, shared = true }
    if not plain then
        known.cluster, known.cooperative, known.dependent = true, true, true
    end
    check.keys(place, owner, t, known)
    local record = { line = place.line, cluster = {} }
    for _, key in ipairs { "grid", "block" } do
        if t[key] == nil then check.fail(place, "%s needs '%s'", owner, key) end
        record[key] = axes(place, format("'%s' in %s", key, owner), t[key])
    end
    if t.shared ~= nil then
        record.shared = check.expression(place, format("'shared' in %s", owner), t.shared)
    end
    if t.cluster ~= nil then
        record.cluster = axes(place, format("'cluster' in %s", owner), t.cluster)
    end
    record.cooperative = check.field(place, owner, t, "cooperative", "boolean")
    record.dependent = check.field(place, owner, t, "dependent", "boolean")
    return record
end
