-- hone.kernel and hone.space: a table as its author wrote it becomes a record that C can
-- read without further checks of its form. What the names and expressions mean is checked
-- in C.
local _, core = ...
local arguments = require "hone.args"
local check = require "hone.check"
local handle = require "hone.handle"
local launch = require "hone.launch"
local values = require "hone.values"
local format, match, math_type, type = string.format, string.match, math.type, type
local math_tointeger, tonumber = math.tointeger, tonumber
local ipairs, next, rawget = ipairs, next, rawget

local definition = {}

local space_keys = {
    name = true, problem = true, tune = true, derive = true, where = true,
}
local kernel_keys = {
    name = true, template = true, entry = true, problem = true, problems = true,
    tune = true,
    derive = true, where = true, default = true, launch = true, args = true,
    reference = true, verify = true, tolerance = true, work = true, defines = true,
    options = true, include = true, waive = true, l2_set_aside = true,
}

-- A table of names and values, copied; each name an identifier, each value checked.
local function named(place, what, t, value)
    local copy = {}
    for key in next, t do check.identifier(place, "name in " .. what, key) end
    for _, key in ipairs(check.sorted_keys(t)) do
        local at = check.at_key(place, key)
        copy[key] = value(at, format("'%s' in %s", key, what), t[key])
    end
    return copy
end

-- The values of one parameter: one type, where integers among floats become floats.
local function value_list(place, what, t)
    local list = check.list(place, what, t)
    if #list == 0 then check.fail(place, "%s needs at least one value", what) end
    local any_float = false
    for i, value in ipairs(list) do
        check.value(place, format("value %d of %s", i, what), value)
        if type(value) ~= type(list[1]) then
            check.fail(place, "%s mixes a %s and a %s", what, type(list[1]), type(value))
        end
        any_float = any_float or math_type(value) == "float"
    end
    for i, value in ipairs(list) do
        if any_float then list[i] = value + 0.0 end
    end
    return list
end

-- The line of a string or function inside the table at place; of the table where they
-- differ.
local function line_in(place, inner)
    return inner.file == place.file and inner.line or place.line
end

local function derived_list(place, owner, t)
    local list = {}
    for name, text in next, named(place, "derive of " .. owner, t, check.expression) do
        local line = check.at_key(place, name).line
        list[#list + 1] = { name = name, text = text, line = line }
    end
    return list
end

local function constraint(place, what, value)
    if type(value) == "string" then
        local at = check.at_literal(place, value)
        return { text = check.expression(at, what, value), line = at.line }
    end
    local fn = handle.open(value, "fn")
    if not fn then
        check.fail(place, "%s must be an expression in a string or a hone.fn", what)
    end
    return { text = fn.text, line = line_in(place, fn.place), vars = fn.vars, fn = fn.fn }
end

local function constraint_list(place, owner, t)
    local list = check.list(check.at_key(place, "where"), "where of " .. owner, t)
    for i, value in ipairs(list) do
        list[i] = constraint(place, format("constraint %d of %s", i, owner), value)
    end
    return list
end

-- A table of optional expressions, such as work = { flops, bytes }.
local function expressions(place, owner, t, known)
    check.keys(place, owner, t, known)
    local record = named(place, owner, t, check.expression)
    record.line = place.line
    return record
end

-- The bound on the mean error is one of floating results.
local function tolerance(place, t, args)
    local owner = "tolerance of hone.kernel"
    local record = expressions(place, owner, t, arguments.bounds)
    for _, arg in ipairs(args) do
        local result = arg.role == "output" or arg.role == "inout"
        if not record.mean or result and not match(arg.dtype, "^[iu]%d") then
            return record
        end
    end
    if not record.mean then return record end
    return check.fail(check.at_key(place, "mean"), "'mean' in %s bounds the error of "
                      .. "floating results, and the kernel has none", owner)
end

local function argument_list(place, t)
    local list = check.list(check.at_key(place, "args"), "args of hone.kernel", t)
    local seen = {}
    for i, value in ipairs(list) do
        local record = handle.open(value, "arg")
        if not record then
            check.fail(check.at_key(place, "args"),
                       "argument %d of hone.kernel must come from hone.input, "
                       .. "hone.output, hone.inout or a scalar such as hone.i32", i)
        elseif seen[record.name] then
            check.fail(record.place, "argument '%s' of hone.kernel appears twice",
                       record.name)
        end
        seen[record.name] = true
        list[i] = {
            role = record.role, name = record.name, dtype = record.dtype,
            size = record.size, pointers = record.pointers, fill = record.fill,
            tensor_map = record.tensor_map, early = record.early,
            tolerance = record.tolerance, low = record.low, high = record.high,
            file = record.file, line = line_in(place, record.place),
        }
    end
    return list
end

local function reference(place, t)
    local owner = "reference of hone.kernel"
    place = check.at_key(place, "reference")
    check.keys(place, owner, t, { template = true, entry = true, launch = true,
                                  precision = true })
    local precision = check.field(place, owner, t, "precision", "string")
    if precision and precision ~= "f64" then
        check.fail(check.at_key(place, "precision"),
                   "'precision' in %s can be \"f64\", got '%s'; without it the "
                   .. "reference has the kernel's types", owner, precision)
    end
    return { wide = precision ~= nil,
             template = check.field(place, owner, t, "template", "string", true),
             entry = check.identifier(place, "'entry' in " .. owner, t.entry),
             launch = launch(place, "launch of reference",
                             check.field(place, owner, t, "launch", "table", true),
                             true) }
end

-- Names in t must be among those of known; what they are called in the message.
local function subset(place, owner, t, known)
    check.keys(place, owner, t, known)
    return named(place, owner, t, check.value)
end

local function article(value)
    local kind = math_type(value) or type(value)
    return (kind == "integer" and "an " or "a ") .. kind
end

-- One set of sizes, of the types that those of the problem have; known has their names,
-- and others that may stand beside them.
local function problem_sizes(place, owner, t, problem, known)
    local sizes = subset(place, owner, t, known)
    for _, name in ipairs(check.sorted_keys(sizes)) do
        if problem[name] ~= nil and article(sizes[name]) ~= article(problem[name]) then
            check.fail(check.at_key(place, name), "'%s' in %s is %s, in problem it is %s",
                       name, owner, article(sizes[name]), article(problem[name]))
        end
    end
    return sizes
end

-- What one size is drawn from: a span, or the values of a list.
local function choices(place, owner, name, given, problem)
    local span = values.span(given)
    local what = format("'%s' in %s", name, owner)
    if span and math_type(problem[name]) ~= "integer" then
        check.fail(span.place, "%s is a range of integers, in problem it is %s", what,
                   article(problem[name]))
    elseif span then
        return { first = span.first, step = span.step, count = span.count }
    end
    local list = check.list(place, what, given)
    if #list == 0 then check.fail(place, "%s has no values to draw from", what) end
    for _, value in ipairs(list) do
        check.value(place, "a value of " .. what, value)
        if article(value) ~= article(problem[name]) then
            check.fail(place, "%s has %s, in problem it is %s", what, article(value),
                       article(problem[name]))
        end
    end
    return { values = list }
end

local draws = { usual = 20, most = 256 } -- sizes that one entry of verify draws

local function draw_count(place, owner, value)
    local at = check.at_key(place, "count")
    if value == nil then return draws.usual end
    if math_type(value) ~= "integer" or value < 1 or value > draws.most then
        check.fail(at, "'count' in %s must be an integer in 1 .. %d, got %s", owner,
                   draws.most, check.type(at, "'count' in " .. owner, value, "number"))
    end
    return value
end

-- Sizes that are drawn: some of them from ranges or lists, the others as they are.
local function draw(place, owner, sizes, problem)
    local known, counted = { count = true }, problem.count == nil
    for name in next, problem do known[name] = true end
    check.keys(place, owner, sizes, known)
    local record = { line = place.line, choices = {},
                     count = draw_count(place, owner, counted and sizes.count or nil) }
    for name, given in next, sizes do
        if type(given) ~= "table" and (name ~= "count" or not counted) then
            given = { given }
        end
        if type(given) == "table" then
            record.choices[name] = choices(place, owner, name, given, problem)
        end
    end
    return record
end

local function is_drawn(sizes)
    for _, value in next, sizes do
        if type(value) == "table" then return true end
    end
    return false
end

-- Sizes to verify at as they are, and what others are drawn from.
local function verify_lists(place, t, problem)
    place = check.at_key(place, "verify")
    local sizes, drawn = {}, {}
    for i, entry in ipairs(check.list(place, "verify of hone.kernel", t)) do
        local at = check.at_key(place, i)
        local owner = format("verify size %d of hone.kernel", i)
        check.type(at, owner, entry, "table")
        if is_drawn(entry) then
            drawn[#drawn + 1] = draw(at, owner, entry, problem)
        else
            sizes[#sizes + 1] = problem_sizes(at, owner, entry, problem, problem)
        end
    end
    return sizes, drawn
end

-- What stands for `problem` where a script has just `problems`: the first of them.
local function first_problem(place, t)
    local list = check.field(place, "hone.kernel", t, "problems", "table")
    local first = list and rawget(list, 1)
    if t.problem ~= nil or type(first) ~= "table" then return nil end
    local copy = {}
    for key, value in next, first do
        if key ~= "weight" then copy[key] = value end
    end
    return copy
end

-- The problems to tune together, with their weights; the list may be empty.
local function problem_list(place, t, problem)
    place = check.at_key(place, "problems")
    local known = { weight = true }
    for name in next, problem do known[name] = true end
    local list = check.list(place, "problems of hone.kernel", t)
    for i, sizes in ipairs(list) do
        local at, owner = check.at_key(place, i), format("problem %d of hone.kernel", i)
        check.type(at, owner, sizes, "table")
        list[i] = problem_sizes(at, owner, sizes, problem, known)
        local weight = problem.weight == nil and list[i].weight or 1
        if type(weight) ~= "number" or weight <= 0 then
            check.fail(check.at_key(at, "weight"),
                       "'weight' of %s must be a number above 0", owner)
        end
    end
    return list
end

local function defines_list(place, t, problem, drawn)
    place = check.at_key(place, "defines")
    return check.strings(place, "defines of hone.kernel", t, function(at, _, name)
        if problem[name] == nil then
            check.fail(at, "'%s' in defines of hone.kernel is no problem size%s", name,
                       check.suggestion(name, check.sorted_keys(problem)))
        end
        for _, sizes in ipairs(drawn) do
            if sizes.choices[name] and not sizes.choices[name].values then
                check.fail(at, "'%s' in defines of hone.kernel is drawn from a range in "
                           .. "verify: each size would be a program of its own", name)
            end
        end
    end)
end

local waiver_keys = { finding = true, at = true, buffer = true, reason = true }

-- "folder/file.cu:120": a name without its folders, as reports have it, and a line.
local function source_line(place, what, text)
    local file, line = match(text, "([^/]+):(%d+)$")
    line = line and math_tointeger(tonumber(line))
    if not line or line < 1 or line > 0x7fffffff then
        check.fail(place, "%s must be a file and a line, such as \"file.cu:120\", got "
                   .. "'%s'", what, text)
    end
    return file, line
end

local function waiver(place, owner, t)
    check.type(place, owner, t, "table")
    if type(rawget(t, "reason")) == "string" then
        place = check.at_literal(place, t.reason)
    end
    check.keys(place, owner, t, waiver_keys)
    local record = { script_line = place.line }
    for key in next, waiver_keys do
        local text = rawget(t, key)
        if text ~= nil then
            local what = format("'%s' in %s", key, owner)
            record[key] = check.value(place, what,
                                      check.type(place, what, text, "string"))
        end
    end
    for _, key in ipairs { "finding", "reason" } do
        if not record[key] then check.fail(place, "%s needs '%s'", owner, key) end
    end
    if record.at then
        record.file, record.line = source_line(place, format("'at' in %s", owner),
                                               record.at)
    end
    return record
end

local function waiver_list(place, t)
    place = check.at_key(place, "waive")
    local list = check.list(place, "waive of hone.kernel", t)
    for i, value in ipairs(list) do
        list[i] = waiver(place, format("waiver %d of hone.kernel", i), value)
    end
    return list
end

local function byte_count(place, key, value)
    if value == nil then return 0 end
    local what = format("'%s' in hone.kernel", key)
    check.type(place, what, value, "number")
    if math_type(value) ~= "integer" or value < 0 then
        check.fail(place, "%s must be a whole number of bytes, 0 or more, got %s", what,
                   value)
    end
    return value
end

local function problem_value(place, what, value)
    if values.span(value) then
        check.fail(place, "%s is a range, but a problem has one value: ranges are for "
                   .. "verify", what)
    end
    return check.value(place, what, value)
end

-- What kernels and spaces share.
local function common(place, owner, t, first)
    local tune = check.field(place, owner, t, "tune", "table", true)
    local at_tune = check.at_key(place, "tune")
    if next(tune) == nil then
        check.fail(at_tune, "tune of %s has no parameters", owner)
    end
    local problem = check.field(place, owner, t, "problem", "table") or first or {}
    local derive = check.field(place, owner, t, "derive", "table") or {}
    local where = check.field(place, owner, t, "where", "table") or {}
    local at_problem = check.at_key(place, "problem")
    return {
        file = place.file, line = place.line, tune_line = at_tune.line,
        problem = named(at_problem, "problem of " .. owner, problem, problem_value),
        tune = named(at_tune, "tune of " .. owner, tune, value_list),
        derive = derived_list(check.at_key(place, "derive"), owner, derive),
        where = constraint_list(place, owner, where),
    }
end

local function table_given(place, owner, t)
    if type(t) ~= "table" then
        check.fail(place, "%s takes a table: %s { ... }", owner, owner)
    end
end

function definition.space(place, t)
    table_given(place, "hone.space", t)
    check.keys(place, "hone.space", t, space_keys)
    local record = common(place, "hone.space", t)
    if t.name ~= nil then
        local at = check.at_key(place, "name")
        record.name = check.identifier(at, "'name' in hone.space", t.name)
    end
    return handle.new("space", record)
end

function definition.kernel(place, t)
    local owner = "hone.kernel"
    table_given(place, owner, t)
    check.keys(place, owner, t, kernel_keys)
    local function field(key, wanted, required)
        return check.field(place, owner, t, key, wanted, required)
    end
    local function identifier(key, value)
        return check.identifier(check.at_key(place, key),
                                format("'%s' in hone.kernel", key), value)
    end
    local function formulas(key, known)
        return expressions(check.at_key(place, key), key .. " of hone.kernel",
                           field(key, "table") or {}, known)
    end
    field("name", "string", true)
    local record = common(place, owner, t, first_problem(place, t))
    record.problems = problem_list(place, field("problems", "table") or {},
                                   record.problem)
    record.name = identifier("name", t.name)
    record.entry = identifier("entry", t.entry == nil and t.name or t.entry)
    record.template = field("template", "string", true)
    record.launch = launch(place, "launch of hone.kernel", field("launch", "table", true))
    record.args = argument_list(place, field("args", "table", true))
    record.tolerance = tolerance(check.at_key(place, "tolerance"),
                                 field("tolerance", "table") or {}, record.args)
    record.work = formulas("work", { flops = true, bytes = true })
    record.verify_line = check.at_key(place, "verify").line
    record.verify, record.draws = verify_lists(place, field("verify", "table") or {},
                                               record.problem)
    record.defines = defines_list(place, field("defines", "table") or {}, record.problem,
                                  record.draws)
    record.options_line = check.at_key(place, "options").line
    record.options = check.strings(check.at_key(place, "options"),
                                   "options of hone.kernel",
                                   field("options", "table") or {})
    record.include_line = check.at_key(place, "include").line
    record.include = check.strings(check.at_key(place, "include"),
                                   "include of hone.kernel",
                                   field("include", "table") or {})
    record.l2_set_aside = byte_count(check.at_key(place, "l2_set_aside"), "l2_set_aside",
                                     t.l2_set_aside)
    record.waive = waiver_list(place, field("waive", "table") or {})
    if field("default", "table") then
        local at = check.at_key(place, "default")
        record.default_line = at.line
        record.default = subset(at, "default of hone.kernel", t.default, record.tune)
    end
    if field("reference", "table") then
        record.reference = reference(place, t.reference)
    end
    return handle.new("kernel", record)
end

-- hone.fn({ "BM", "TM" }, function(BM, TM) ... end): a constraint that is any Lua.
function definition.fn(place, vars, fn)
    check.type(place, "first argument of hone.fn", vars, "table")
    local names = check.strings(place, "variables of hone.fn", vars)
    if #names == 0 then
        check.fail(place, "hone.fn needs the variables its function reads")
    end
    check.type(place, "second argument of hone.fn", fn, "function")
    return handle.new("fn", { vars = names, fn = fn, text = core.function_text(fn),
                              place = place })
end

return definition
