-- Lists of parameter values.
local _, core = ...
local check = require "hone.check"
local math_type, to_integer, abs = math.type, math.tointeger, math.abs
local ipairs, setmetatable, type = ipairs, setmetatable, type
local concat = table.concat

local values = {}

-- Longer lists than a parameter may have are refused before they eat memory (space.h).
local most = 65535

local function number(place, what, value)
    check.type(place, what, value, "number")
    return check.value(place, what, value)
end

-- By what hone.range returned: { first, last, step, count, place }, of integers, upwards;
-- by is the step as it was given. Those in unlisted have no list that could be changed.
local spans = setmetatable({}, { __mode = "k" })
local unlisted = setmetatable({}, { __mode = "k" })

local function is_changed(list, span)
    if unlisted[list] then return false end
    if #list ~= span.count then return true end
    local wanted = span.by > 0 and span.first or span.last
    for _, value in ipairs(list) do
        if value ~= wanted then return true end
        wanted = wanted + span.by
    end
    return false
end

-- The span behind what hone.range returned; nil for any other value, and for a list that
-- was changed since.
function values.span(value)
    local span = type(value) == "table" and spans[value]
    if not span or is_changed(value, span) then return nil end
    return span
end

-- Stands for more values than a list may have: sizes to draw from need no list.
local function without_list(refuse)
    local list = setmetatable({}, { __len = refuse, __index = refuse,
                                    __metatable = false })
    unlisted[list] = true
    return list
end

local function remember(list, place, first, step, count)
    local last = first + (count - 1) * step
    local least, largest = first, last
    if step < 0 then least, largest = last, first end
    spans[list] = { first = least, last = largest, step = step < 0 and -step or step,
                    count = count, by = step, place = place }
    return list
end

-- How many steps lead from first to last, and whether fractions end there: what is lost
-- where 0.1 is no binary fraction is no part of a step.
local function steps_between(first, last, step, steps_are_whole)
    local steps = (last + 0.0 - first) / step
    local whole = (steps + 0.5) // 1
    if not steps_are_whole and abs(steps - whole) <= 1e-9 * whole then
        return whole, true
    end
    return steps // 1, false
end

-- first, first + step, ... up to and including last.
function values.range(place, first, last, step)
    if step == nil then step = 1 end
    number(place, "first value of hone.range", first)
    number(place, "last value of hone.range", last)
    number(place, "step of hone.range", step)
    if step == 0 then check.fail(place, "step of hone.range must not be 0") end
    local steps_are_whole = math_type(first) == "integer"
        and math_type(step) == "integer"
    local integers = steps_are_whole and math_type(last) == "integer"
    local count, ends = steps_between(first, last, step, steps_are_whole)
    if count < 0 then
        check.fail(place, "hone.range(%s, %s, %s) is empty", first, last, step)
    end
    local function refuse()
        check.fail(place, "hone.range(%s, %s, %s) has more than %d values", first, last,
                   step, most)
    end
    local reach = abs(last + 0.0 - first)
    if integers and (count >= 2 ^ 53 or reach >= 2 ^ 63) then
        check.fail(place, "hone.range(%s, %s, %s) reaches too far: sizes are drawn " ..
                   "from fewer than 2^53 values, less than 2^63 apart", first, last, step)
    elseif count >= most and integers then
        return remember(without_list(refuse), place, first, step,
                        (last - first) // step + 1)
    elseif count >= most then
        refuse()
    end
    if integers then count = (last - first) // step end
    local list = {}
    for i = 0, count do
        list[#list + 1] = first + (steps_are_whole and to_integer(i) or i) * step
    end
    if ends then list[#list] = last + 0.0 end
    return integers and remember(list, place, first, step, #list) or list
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
               concat(texts, ", "))
end

return values
