-- Arguments of a kernel: buffers by role, scalars by type.
local _, core = ...
local check = require "hone.check"
local handle = require "hone.handle"
local format, concat = string.format, table.concat
local abs, max = math.abs, math.max
local ipairs, pairs, rawget = ipairs, pairs, rawget

local args = { dtypes = core.dtypes() }

local is_dtype, ranges = {}, {}
for _, name in ipairs(args.dtypes) do
    local least, most, whole = core.dtype_range(name)
    is_dtype[name] = true
    ranges[name] = { least = least, most = most, whole = whole }
end

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

-- What C and others call these types: too far from our names for a suggestion.
local named_elsewhere = {
    float = "f32", float32 = "f32", single = "f32", double = "f64", float64 = "f64",
    half = "f16", float16 = "f16", __half = "f16", bfloat16 = "bf16",
    __nv_bfloat16 = "bf16", int = "i32", int32 = "i32", int32_t = "i32", long = "i64",
    int64 = "i64", int64_t = "i64", short = "i16", int16 = "i16", int16_t = "i16",
    char = "i8", int8 = "i8", int8_t = "i8", unsigned = "u32", uint = "u32",
    ["unsigned int"] = "u32", uint32 = "u32", uint32_t = "u32", size_t = "u64",
    uint64 = "u64", uint64_t = "u64", uint16 = "u16", uint16_t = "u16", byte = "u8",
    uint8 = "u8", uint8_t = "u8", bool = "u8",
}

-- "; did you mean 'f32'?", or all there are.
local function advice(value, names)
    local other = named_elsewhere[value]
    for _, name in ipairs(names) do
        if name == other then return format("; did you mean '%s'?", name) end
    end
    local near = check.suggestion(value, names)
    return near ~= "" and near or "; there are " .. concat(names, ", ")
end

local function one_of(place, what, verb, value, known, names)
    check.type(place, format("%s of %s", what, verb), value, "string")
    if not known[value] then
        check.fail(place, "unknown %s '%s' in %s%s", what, value, verb,
                   advice(value, names))
    end
    return value
end

-- A number of which a buffer of that dtype makes a finite one: a whole one for integers.
local function number_for(place, what, value, dtype, whole)
    check.type(place, what, value, "number")
    local range = ranges[dtype]
    if value ~= value or abs(value) > largest then
        check.fail(place, "%s must be a number of at most 2^53", what)
    elseif (whole or range.whole) and value % 1 ~= 0 then
        check.fail(place, "%s must be a whole number, got %s", what, value)
    elseif value < range.least or value > range.most then
        check.fail(place, "%s is %s, which %s cannot hold: it ends at %.0f", what, value,
                   dtype, value < 0 and range.least or range.most)
    end
    return value + 0.0
end

-- The options of a buffer, checked, into its record.
local function fill(place, verb, dtype, options, record)
    check.type(place, "options of " .. verb, options, "table")
    check.keys(place, "options of " .. verb, options,
               { fill = true, low = true, high = true, value = true, file = true,
                 pointers = true, tensor_map = true, early = true, tolerance = true })
    local named = options.fill
    if named == nil then named = "uniform" end
    record.fill = fills[one_of(place, "fill", verb, named, fills,
                               check.sorted_keys(fills))]
    for _, key in ipairs(check.sorted_keys(fill_of)) do
        if options[key] ~= nil and fill_of[key] ~= record.fill then
            check.fail(place, "'%s' of %s goes with fill = '%s', not with '%s'", key,
                       verb, fill_of[key], record.fill)
        end
    end
    if record.fill == "normal" and ranges[dtype].whole then
        check.fail(place, "fill 'normal' of %s is for floating types, not for %s", verb,
                   dtype)
    elseif record.fill == "integers" then
        local low = options.low or max(ranges[dtype].least, -8)
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
    if kind == "constant" or kind == "workspace" or kind == "symbol" then
        check.fail(place, "hone.%s takes no 'pointers': only inputs and outputs do", kind)
    end
    record.pointers = check.expression(place, "pointers in hone." .. kind, value)
end

-- No launch before writes it.
local function early(place, kind, options, record)
    if options.early == nil then return end
    if kind ~= "input" then
        check.fail(place, "hone.%s takes no 'early': only inputs do", kind)
    end
    record.early = check.field(place, "hone.input", options, "early", "boolean")
end

-- What a tolerance may bound.
args.bounds = { relative = true, absolute = true, scale = true, mean = true }

-- That of this output alone, in the place of the kernel's.
local function tolerance(place, kind, given, record)
    if given == nil then return end
    local verb = "hone." .. kind
    if kind ~= "output" and kind ~= "inout" then
        check.fail(place, "%s takes no 'tolerance': only outputs do", verb)
    end
    check.type(place, "tolerance in " .. verb, given, "table")
    check.keys(place, "tolerance in " .. verb, given, args.bounds)
    local bounds = {}
    for _, key in ipairs(check.sorted_keys(args.bounds)) do
        local value = rawget(given, key)
        if value ~= nil then
            bounds[key] = check.expression(place, key .. " tolerance in " .. verb, value)
        end
    end
    if bounds.mean and ranges[record.dtype].whole then
        check.fail(place, "'mean' in the tolerance of %s bounds the error of floating "
                   .. "results, and '%s' has none", verb, record.name)
    end
    record.tolerance = bounds
end

local modes = { swizzle = { [32] = true, [64] = true, [128] = true },
                interleave = { [16] = true, [32] = true },
                promotion = { [64] = true, [128] = true, [256] = true } }

-- The expressions of one property, axis by axis; the innermost has no stride.
local function axes(place, verb, map, key, count, first)
    local what = format("%s of the tensor map in %s", key, verb)
    local list = check.list(place, what, map[key])
    if #list ~= count then
        check.fail(place, "%s must be a list of %d, got %d", what, count, #list)
    end
    for i = 1, count do
        map.axes[i + first][key] = check.expression(place, what, list[i])
    end
end

-- The recipe of a tensor map that the kernel gets in the buffer's place.
local function tensor_map(place, kind, given, record)
    if given == nil then return end
    local verb = "hone." .. kind
    check.type(place, "tensor_map in " .. verb, given, "table")
    check.keys(place, "tensor_map in " .. verb, given,
               { size = true, box = true, stride = true, swizzle = true,
                 interleave = true, promotion = true, nan_fill = true })
    if kind == "constant" or kind == "workspace" or kind == "symbol" or
       record.pointers then
        check.fail(place, "a tensor_map is of inputs and outputs without pointers")
    end
    local owner = "the tensor map in " .. verb
    local function field(key, wanted)
        return check.field(place, owner, given, key, wanted)
    end
    local map = { axes = {}, size = rawget(given, "size"), box = rawget(given, "box"),
                  stride = rawget(given, "stride"),
                  nan_fill = field("nan_fill", "boolean") and 1 or 0 }
    local rank = #check.list(place, "size of " .. owner, map.size)
    if rank < 1 or rank > 5 then
        check.fail(place, "a tensor map has 1 to 5 axes, got %d", rank)
    end
    for i = 1, rank do map.axes[i] = {} end
    axes(place, verb, map, "size", rank, 0)
    axes(place, verb, map, "box", rank, 0)
    if map.stride ~= nil then axes(place, verb, map, "stride", rank - 1, 1) end
    for _, mode in ipairs(check.sorted_keys(modes)) do
        map[mode] = field(mode, "number") or 0
        if map[mode] ~= 0 and not modes[mode][map[mode]] then
            check.fail(place, "%s of %s cannot be %s", mode, owner, map[mode])
        end
    end
    record.tensor_map = map
end

-- hone.input, hone.output, hone.inout, hone.constant, hone.symbol, hone.workspace:
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
            tensor_map(place, kind, options.tensor_map, record)
            early(place, kind, options, record)
            tolerance(place, kind, options.tolerance, record)
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
