-- Lists of parameter values.
local _, core = ...
local check = require "hone.check"
local math_type, to_integer = math.type, math.tointeger

local values = {}

-- Longer lists than a parameter may have are refused before they eat memory (space.h).
local most = 65535

local function number(place, what, value)
    check.type(place, what, value, "number")
    return check.value(place, what, value)
end

-- first, first + step, ... up to and including last.
function values.range(place, first, last, step)
    if step == nil then step = 1 end
    number(place, "first value of hone.range", first)
    number(place, "last value of hone.range", last)
    number(place, "step of hone.range", step)
    if step == 0 then check.fail(place, "step of hone.range must not be 0") end
    local count = (last - first) / step
    if count < 0 then
        check.fail(place, "hone.range(%s, %s, %s) is empty", first, last, step)
    elseif count >= most then
        check.fail(place, "hone.range(%s, %s, %s) has more than %d values", first, last,
                   step, most)
    end
    local list = {}
    for i = 0, count // 1 do
        local k = math_type(first) == "integer" and math_type(step) == "integer"
            and to_integer(i) or i
        list[#list + 1] = first + k * step
    end
    return list
end

local function power_of_two(place, what, value)
    if math_type(value) ~= "integer" or value < 1 or value & (value - 1) ~= 0 then
        check.fail(place, "%s must be a power of two, got %s", what, value)
    end
end

-- first, 2 * first, 4 * first, ... up to and including last.
function values.pow2(place, first, last)
    power_of_two(place, "first value of hone.pow2", first)
    power_of_two(place, "last value of hone.pow2", last)
    local list = {}
    while first <= last and first > 0 do
        list[#list + 1] = first
        first = first * 2
    end
    if #list == 0 then
        check.fail(place, "hone.pow2 is empty: its first value is over its last")
    end
    return list
end

-- One of a list of texts: the first, unless --set names another. Unlike the value of a
-- problem size it is known while the script runs.
function values.choice(place, name, list)
    check.identifier(place, "name in hone.choice", name)
    local texts = check.strings(place, "values of hone.choice", list)
    if #texts == 0 then check.fail(place, "hone.choice '%s' has no values", name) end
    local wanted = core.setting(name) or texts[1]
    for _, text in ipairs(texts) do
        if text == wanted then return text end
    end
    check.fail(place, "--set %s=%s: '%s' is one of %s", name, wanted, name,
               table.concat(texts, ", "))
end

return values
