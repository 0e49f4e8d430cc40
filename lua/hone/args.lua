-- Arguments of a kernel: buffers by role, scalars by type.
local _, core = ...
local check = require "hone.check"
local handle = require "hone.handle"
local format = string.format

local args = { dtypes = core.dtypes() }

local is_dtype = {}
for _, name in ipairs(args.dtypes) do is_dtype[name] = true end

-- Ways to fill a buffer, by all their names, as the C side calls them.
local fills = {
    random = "uniform", uniform = "uniform", zeros = "zero", zero = "zero", one = "one",
    index = "index", offsets = "offsets", normal = "normal", integers = "integers",
    constant = "constant", file = "file",
}
-- Which of them an option goes with.
local fill_of = { low = "integers", high = "integers", value = "constant",
                  file = "file" }
local largest = 2 ^ 53 -- up to which a double holds every integer

local function one_of(place, what, verb, value, known, names)
    check.type(place, format("%s of %s", what, verb), value, "string")
    if not known[value] then
        check.fail(place, "unknown %s '%s' in %s%s", what, value, verb,
                   check.suggestion(value, names))
    end
    return value
end

-- Least and most of an integer dtype; nil for the floating ones.
local function limits(dtype)
    local kind, bits = dtype:match("^([iu])(%d+)$")
    if not kind then return nil end
    local span = math.min(2.0 ^ bits, largest)
    if kind == "u" then return 0, span - 1 end
    return -math.min(span / 2, largest), math.min(span / 2, largest) - 1
end

-- A number that a buffer of that dtype can hold: a whole one for integers.
local function number_for(place, what, value, dtype, whole)
    check.type(place, what, value, "number")
    local least, most = limits(dtype)
    if value ~= value or math.abs(value) > largest then
        check.fail(place, "%s must be a number of at most 2^53", what)
    elseif (least or whole) and value % 1 ~= 0 then
        check.fail(place, "%s must be a whole number, got %s", what, value)
    elseif least and (value < least or value > most) then
        check.fail(place, "%s is %s, which %s cannot hold", what, value, dtype)
    end
    return value + 0.0
end

-- The options of a buffer, checked, into its record.
local function fill(place, verb, dtype, options, record)
    check.type(place, "options of " .. verb, options, "table")
    check.keys(place, "options of " .. verb, options,
               { fill = true, low = true, high = true, value = true, file = true,
                 pointers = true })
    record.fill = fills[one_of(place, "fill", verb, options.fill or "uniform", fills,
                               check.sorted_keys(fills))]
    for _, key in ipairs(check.sorted_keys(fill_of)) do
        if options[key] ~= nil and fill_of[key] ~= record.fill then
            check.fail(place, "'%s' of %s goes with fill = '%s', not with '%s'", key,
                       verb, fill_of[key], record.fill)
        end
    end
    if record.fill == "normal" and limits(dtype) then
        check.fail(place, "fill 'normal' of %s is for floating types, not for %s", verb,
                   dtype)
    elseif record.fill == "integers" then
        local low = options.low or (limits(dtype) == 0 and 0 or -8)
        record.low = number_for(place, "'low' of " .. verb, low, dtype, true)
        record.high = number_for(place, "'high' of " .. verb, options.high or 8, dtype,
                                 true)
        if record.low > record.high then
            check.fail(place, "'low' of %s is %d, above 'high', which is %d", verb,
                       record.low, record.high)
        end
    elseif record.fill == "constant" then
        if options.value == nil then
            check.fail(place, "fill 'constant' of %s needs a 'value'", verb)
        end
        record.low = number_for(place, "'value' of " .. verb, options.value, dtype)
        record.high = record.low
    elseif record.fill == "file" then
        record.file = check.type(place, "'file' of " .. verb, options.file, "string")
    end
end

-- The expression of how many pointers the kernel gets, to parts of the buffer.
local function pointers(place, kind, value, record)
    if value == nil then return end
    if kind == "constant" or kind == "workspace" then
        check.fail(place, "hone.%s takes no 'pointers': only inputs and outputs do", kind)
    end
    record.pointers = check.expression(place, "pointers in hone." .. kind, value)
end

-- hone.input, hone.output, hone.inout, hone.constant, hone.workspace:
-- (place, name, dtype, size, options)
function args.buffer(kind)
    local verb = "hone." .. kind
    return function(place, name, dtype, size, options)
        check.identifier(place, "name in " .. verb, name)
        one_of(place, "dtype", verb, dtype, is_dtype, args.dtypes)
        if size == nil then
            check.fail(place, "%s('%s', ...) needs a size", verb, name)
        end
        local record = {
            role = kind, name = name, dtype = dtype, fill = "uniform", place = place,
            size = check.expression(place, "size in " .. verb, size),
        }
        if options ~= nil then
            fill(place, verb, dtype, options, record)
            pointers(place, kind, options.pointers, record)
        end
        return handle.new("arg", record)
    end
end

-- hone.i32 and the like: (place, name, value); the value defaults to the variable of that
-- name.
function args.scalar(dtype)
    local verb = "hone." .. dtype
    return function(place, name, value)
        check.identifier(place, "name in " .. verb, name)
        if value == nil then value = name end
        return handle.new("arg", {
            role = "scalar", name = name, dtype = dtype, fill = "uniform", place = place,
            size = check.expression(place, "value in " .. verb, value),
        })
    end
end

return args
