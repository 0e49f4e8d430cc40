-- Checks whose messages begin with the script's file and line. A place is { file, line }:
-- where in the script something was written. core holds the few primitives that C gives
-- the prelude.
local _, core = ...
local error, next, rawget, type = error, next, rawget, type
local format, find, sub = string.format, string.find, string.sub
local sort, math_type, huge = table.sort, math.type, math.huge

local check = {}

function check.fail(place, message, ...)
    error(format("%s:%d: " .. message, place.file, place.line, ...), 0)
end

-- The place of the table that is written out where the script calls the prelude, of which
-- at_entry knows exactly what stands where; place itself where none is.
function check.at_argument(place)
    local brace, line = core.argument(place.file, place.line)
    if not brace then return place end
    return { file = place.file, line = place.line, exact = true,
             brace = brace, brace_line = line }
end

-- The place of what a table has under a key or as an item; the table's own where the text
-- of the script does not show it.
function check.at_entry(place, key)
    if not place.brace then return place end
    if not place.entries then
        place.entries = core.entries(place.file, place.brace, place.brace_line)
    end
    return place.entries[key] or { file = place.file, line = place.line, exact = true }
end

-- The place of a key or of a string literal. Of a place that is not exact it is the first
-- one at or after it; place itself where the text of the script does not show it.
function check.at_key(place, key)
    if place.exact then return check.at_entry(place, key) end
    local line = core.line_of_key(place.file, place.line, key)
    return { file = place.file, line = line }
end

function check.at_literal(place, text)
    local line = core.line_of_literal(place.file, place.line, text)
    return { file = place.file, line = line }
end

-- "; did you mean 'tune'?" or nothing.
function check.suggestion(word, known)
    local near = core.suggest(word, known)
    return near and format("; did you mean '%s'?", near) or ""
end

-- What other tuners and languages call our keys; the first that is known here is meant.
local other_words = {
    constraints = { "where" }, constraint = { "where" }, restrictions = { "where" },
    conditions = { "where" }, tune_params = { "tune" }, params = { "tune" },
    parameters = { "tune" }, search_space = { "tune" },
    kernel_name = { "entry", "name" }, kernel = { "template" },
    source = { "template" }, file = { "template" }, kernel_source = { "template" },
    arguments = { "args" }, inputs = { "args" }, answer = { "reference" },
    baseline = { "reference" }, sizes = { "problem" }, problem_size = { "problem" },
    size = { "problem" }, defaults = { "default" }, derived = { "derive" },
    grid_size = { "grid", "launch" }, block_size = { "block", "launch" },
    blocks = { "grid", "launch" }, threads = { "block", "launch" },
    grid = { "launch" }, block = { "launch" },
    cluster = { "launch" }, cluster_dims = { "cluster", "launch" },
    cluster_size = { "cluster", "launch" }, clusters = { "cluster", "launch" },
    cooperative = { "launch" }, pdl = { "dependent", "launch" },
    dependent = { "launch" },
    shared_memory = { "shared", "launch" }, smem = { "shared", "launch" },
    shared = { "launch" }, rtol = { "relative", "tolerance" },
    atol = { "absolute", "tolerance" }, flops = { "work" }, bytes = { "work" },
    compiler_options = { "options" }, flags = { "options" },
}

-- "; did you mean 'where'?" or nothing.
function check.known_word(word, known)
    for _, ours in next, other_words[word] or {} do
        if known[ours] ~= nil then return format("; did you mean '%s'?", ours) end
    end
    return check.suggestion(word, check.sorted_keys(known))
end

function check.sorted_keys(t)
    local keys = {}
    for key in next, t do
        if type(key) == "string" then keys[#keys + 1] = key end
    end
    sort(keys)
    return keys
end

-- Every key of given is a string among the keys of known.
function check.keys(place, owner, given, known)
    for key in next, given do
        if type(key) ~= "string" then
            check.fail(place, "%s takes named options, got one without a name", owner)
        end
    end
    for _, key in next, check.sorted_keys(given) do
        if known[key] == nil then
            check.fail(check.at_key(place, key), "unknown key '%s' in %s%s", key, owner,
                       check.known_word(key, known))
        end
    end
end

local articles = { ["nil"] = "nothing", number = "a number", string = "a string",
                   boolean = "a boolean", table = "a table", ["function"] = "a function",
                   userdata = "a userdata", thread = "a coroutine" }

function check.type(place, what, value, wanted)
    if type(value) ~= wanted then
        check.fail(place, "%s must be %s, got %s", what, articles[wanted],
                   articles[type(value)])
    end
    return value
end

-- t[key], of the wanted type; nil where it is absent and not required.
function check.field(place, owner, t, key, wanted, required)
    local value = rawget(t, key)
    if value == nil and not required then return nil end
    if value == nil then check.fail(place, "%s needs '%s'", owner, key) end
    local at = check.at_key(place, key)
    return check.type(at, format("'%s' in %s", key, owner), value, wanted)
end

function check.identifier(place, what, name)
    check.type(place, what, name, "string")
    if not find(name, "^[%a_][%w_]*$") then
        check.fail(place, "%s must be an identifier, got '%s'", what, sub(name, 1, 60))
    end
    local fault = core.name_fault(name)
    if fault then check.fail(place, "%s: '%s' %s", what, sub(name, 1, 60), fault) end
    return name
end

-- A copy of a list; a table with other keys than 1 .. n is none.
function check.list(place, what, t)
    check.type(place, what, t, "table")
    local copy, count = {}, 0
    for i = 1, #t do copy[i] = rawget(t, i) end
    for _ in next, t do count = count + 1 end
    if count ~= #copy then
        check.fail(place, "%s must be a list without gaps or names", what)
    end
    return copy
end

-- A list of strings, each passed through item(place, what, text) where that is given,
-- with its own place.
function check.strings(place, what, t, item)
    local list = check.list(place, what, t)
    for i = 1, #list do
        local name, at = format("item %d of %s", i, what), check.at_entry(place, i)
        check.type(at, name, list[i], "string")
        if item then item(at, name, list[i]) end
    end
    return list
end

-- A value of a parameter or problem size: finite number, boolean, or string of one line.
function check.value(place, what, value)
    local kind = type(value)
    if kind == "number" then
        if value ~= value or value == huge or value == -huge then
            check.fail(place, "%s must be a finite number, got %s", what, value)
        end
    elseif kind == "string" then
        if find(value, "[\r\n]") then
            check.fail(place, "%s must be one line of text", what)
        end
        local fault = core.text_fault(value, 4000)
        if fault then check.fail(place, "%s %s", what, fault) end
    elseif kind ~= "boolean" then
        check.fail(place, "%s must be a number, a string or a boolean, got %s", what,
                   articles[kind])
    end
    return value
end

-- Text of an expression: a string, or a number for a constant.
function check.expression(place, what, value)
    if math_type(value) == "integer" then return format("%d", value) end
    if math_type(value) == "float" then
        return format("%.17g", check.value(place, what, value))
    end
    if type(value) ~= "string" then
        check.fail(place, "%s must be an expression in a string, or a number, got %s",
                   what, articles[type(value)])
    end
    local fault = core.text_fault(value, 65536, true)
    if fault then check.fail(place, "%s %s", what, fault) end
    return value
end

return check
