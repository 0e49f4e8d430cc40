-- Arguments of a kernel: buffers by role, scalars by type.
local _, core = ...
local check = require "hone.check"
local handle = require "hone.handle"
local format = string.format

local args = { dtypes = core.dtypes() }

local is_dtype, is_fill = {}, { uniform = true, zero = true, one = true, index = true }
for _, name in ipairs(args.dtypes) do is_dtype[name] = true end

local function one_of(place, what, verb, value, known, names)
    check.type(place, format("%s of %s", what, verb), value, "string")
    if not known[value] then
        check.fail(place, "unknown %s '%s' in %s%s", what, value, verb,
                   check.suggestion(value, names))
    end
    return value
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
            check.type(place, "options of " .. verb, options, "table")
            check.keys(place, "options of " .. verb, options, { fill = true })
            record.fill = one_of(place, "fill", verb, options.fill or "uniform", is_fill,
                                 check.sorted_keys(is_fill))
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
