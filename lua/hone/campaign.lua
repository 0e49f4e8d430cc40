-- hone.campaign { ... }: kernels, their problems, the devices to tune them on, and how. A
-- table as its author wrote it becomes a record whose form C need not check again.
local _, core = ...
local check = require "hone.check"
local handle = require "hone.handle"
local format, find = string.format, string.find
local math_type, largest, type = math.type, math.maxinteger, type
local ipairs, next, rawget, tostring = ipairs, next, rawget, tostring
local concat = table.concat

local campaign = {}

local campaign_keys = {
    kernels = true, devices = true, budget = true, seed = true, strategy = true,
    votes = true, tries = true, warm = true, output = true, state = true, options = true,
    most_problems = true,
}
local kernel_keys = {
    script = true, name = true, problems = true, set = true, devices = true,
    budget = true, options = true,
}
local device_keys = {
    id = true, name = true, via = true, at_once = true, partition = true, gres = true,
    constraint = true, time = true, account = true, sbatch = true,
}
local slurm_keys = { "partition", "gres", "constraint", "time", "account", "sbatch" }
local engines = { ["local"] = true, slurm = true, print = true }

local function text(place, owner, t, key, required)
    local value = check.field(place, owner, t, key, "string", required)
    if value == nil then return nil end
    local at, what = check.at_key(place, key), format("'%s' in %s", key, owner)
    check.value(at, what, value)
    if not find(value, "%S") then check.fail(at, "%s is empty", what) end
    return value
end

local function count(place, owner, t, key, usual, least, most)
    local value = rawget(t, key)
    if value == nil then return usual end
    local at, what = check.at_key(place, key), format("'%s' in %s", key, owner)
    if math_type(value) ~= "integer" or value < least or value > most then
        check.fail(at, "%s must be an integer in %d .. %d, got %s", what, least, most,
                   type(value) == "number" and tostring(value) or type(value))
    end
    return value
end

-- A number of evaluations, or a time as text; C reads both.
local function budget(place, owner, t)
    local value = rawget(t, "budget")
    if math_type(value) == "integer" then return format("%d", value) end
    return text(place, owner, t, "budget")
end

-- Words for `hone tune` into a record, with their lines: C judges them (trust.c), where
-- no script reaches. A word whose line the text does not show has that of the innermost
-- table that it shows, so that no line of another list is named.
local function options(place, owner, t, record)
    local at = check.at_entry(place, "options")
    local list = check.field(place, owner, t, "options", "table") or {}
    local lines = {}
    record.options = check.strings(at, "options of " .. owner, list,
                                   function(where, what, option)
        check.value(where, what, option)
        lines[#lines + 1] = where.line
    end)
    record.option_lines = lines
    return record
end

-- "TYPE=bf16": a size or a parameter as one word.
local function word(place, owner, key, value)
    local what = format("'%s' in %s", key, owner)
    check.value(place, what, value)
    if math_type(value) == "float" then return format("%s=%.17g", key, value) end
    value = tostring(value)
    if find(value, "[%s#]") or value == "" then
        check.fail(place, "%s must be a word; a file of problems can say it in JSON",
                   what)
    end
    return key .. "=" .. value
end

local function words(place, owner, t)
    local list = {}
    check.type(place, owner, t, "table")
    for key in next, t do check.identifier(place, "name in " .. owner, key) end
    for _, key in ipairs(check.sorted_keys(t)) do
        list[#list + 1] = word(check.at_key(place, key), owner, key, t[key])
    end
    return list
end

-- A file's name, or the lines that would stand in it.
local function problems(place, owner, t, record)
    local given = rawget(t, "problems")
    local at = check.at_key(place, "problems")
    record.problems_line = at.line
    record.problems = {}
    if type(given) == "string" then
        record.problems_file = text(place, owner, t, "problems")
    elseif given ~= nil then
        local list = check.list(at, "problems of " .. owner, given)
        if #list == 0 then check.fail(at, "problems of %s are none", owner) end
        for i, sizes in ipairs(list) do
            local what = format("problem %d of %s", i, owner)
            record.problems[i] = concat(words(check.at_entry(at, i), what, sizes), " ")
        end
    end
end

-- The numbers of the devices that a kernel names, by name or id; all where it names none.
local function device_numbers(place, owner, t, devices)
    local list = check.field(place, owner, t, "devices", "table")
    local numbers = {}
    if not list then
        for i in ipairs(devices) do numbers[i] = i end
        return numbers
    end
    local at = check.at_key(place, "devices")
    check.strings(at, "devices of " .. owner, list, function(where, what, label)
        local known = {}
        for i, device in ipairs(devices) do
            known[i] = device.label
            if device.label == label then
                numbers[#numbers + 1] = i
                return
            end
        end
        check.fail(where, "%s: no device '%s' in the campaign%s",
                   what, label, check.suggestion(label, known))
    end)
    return numbers
end

local function kernel(place, i, t, devices)
    local owner = format("kernel %d of hone.campaign", i)
    check.type(place, owner, t, "table")
    if not place.exact and type(rawget(t, "script")) == "string" then
        place = check.at_literal(place, t.script)
    end
    check.keys(place, owner, t, kernel_keys)
    local record = {
        line = check.at_entry(place, "script").line,
        script = text(place, owner, t, "script", true),
        set = words(check.at_key(place, "set"), "set of " .. owner,
                    check.field(place, owner, t, "set", "table") or {}),
        budget = budget(place, owner, t),
        devices = device_numbers(place, owner, t, devices),
    }
    options(place, owner, t, record)
    if rawget(t, "name") ~= nil then
        local at = check.at_key(place, "name")
        record.name = check.identifier(at, format("'name' in %s", owner), t.name)
    end
    problems(place, owner, t, record)
    return record
end

-- One id, or those of equal GPUs of this machine, of which each runs one at a time.
local function device_ids(place, owner, t)
    local id = rawget(t, "id")
    if type(id) ~= "table" then
        id = text(place, owner, t, "id")
        return { id }
    end
    local at = check.at_key(place, "id")
    local list = check.strings(at, format("'id' in %s", owner), id)
    if #list == 0 then check.fail(at, "'id' in %s names no device", owner) end
    return list
end

local function device(place, i, t)
    local owner = format("device %d of hone.campaign", i)
    check.type(place, owner, t, "table")
    local named = rawget(t, "name") or rawget(t, "id")
    if not place.exact and type(named) == "string" then
        place = check.at_literal(place, named)
    end
    check.keys(place, owner, t, device_keys)
    local ids = device_ids(place, owner, t)
    local record = {
        line = check.at_entry(place, rawget(t, "name") and "name" or "id").line,
        ids = ids, name = text(place, owner, t, "name"),
        via = text(place, owner, t, "via") or "local",
        at_once = count(place, owner, t, "at_once", #ids > 1 and #ids or 0, 1, 10000),
    }
    if not ids[1] and not record.name then
        check.fail(place, "%s needs 'id' (\"emu:a100\", \"cuda:0\") or 'name' (\"NVIDIA "
                   .. "H100\")", owner)
    end
    record.label = record.name or ids[1]
    if not ids[1] then ids[1] = "cuda:0" end
    if not engines[record.via] then
        local known = check.sorted_keys(engines)
        check.fail(check.at_key(place, "via"), "'via' in %s can be %s, got '%s'%s", owner,
                   concat(known, ", "), record.via,
                   check.suggestion(record.via, known))
    end
    for _, key in ipairs(slurm_keys) do
        if rawget(t, key) ~= nil and record.via ~= "slurm" then
            check.fail(check.at_key(place, key), "'%s' in %s goes with via = \"slurm\"",
                       key, owner)
        end
        if key ~= "sbatch" then record[key] = text(place, owner, t, key) end
    end
    if record.via ~= "local" and #ids > 1 then
        check.fail(check.at_key(place, "id"), "several ids in %s go with via = \"local\"",
                   owner)
    end
    record.sbatch = check.strings(check.at_key(place, "sbatch"), "sbatch of " .. owner,
                                  check.field(place, owner, t, "sbatch", "table") or {},
                                  check.value)
    return record
end

local function device_list(place, t)
    local owner = "hone.campaign"
    local at = check.at_key(place, "devices")
    local list = check.list(at, "devices of " .. owner,
                            check.field(place, owner, t, "devices", "table", true))
    if #list == 0 then check.fail(at, "devices of %s are none", owner) end
    local seen = {}
    for i, given in ipairs(list) do
        list[i] = device(check.at_entry(at, i), i, given)
        if seen[list[i].label] then
            check.fail({ file = place.file, line = list[i].line },
                       "device '%s' of %s appears twice", list[i].label, owner)
        end
        seen[list[i].label] = true
    end
    return list
end

function campaign.define(place, t)
    local owner = "hone.campaign"
    check.type(place, "what hone.campaign takes", t, "table")
    place = check.at_argument(place)
    check.keys(place, owner, t, campaign_keys)
    local devices = device_list(place, t)
    local at = check.at_key(place, "kernels")
    local kernels = check.list(at, "kernels of " .. owner,
                               check.field(place, owner, t, "kernels", "table", true))
    if #kernels == 0 then check.fail(at, "kernels of %s are none", owner) end
    for i, given in ipairs(kernels) do
        kernels[i] = kernel(check.at_entry(at, i), i, given, devices)
    end
    return handle.new("campaign", options(place, owner, t, {
        file = place.file, line = place.line, kernels = kernels, devices = devices,
        budget = budget(place, owner, t) or "200",
        budget_line = check.at_key(place, "budget").line,
        seed = count(place, owner, t, "seed", 1, 0, largest),
        strategy = text(place, owner, t, "strategy"),
        votes = count(place, owner, t, "votes", 1, 1, 99),
        tries = count(place, owner, t, "tries", 3, 1, 100),
        most_problems = count(place, owner, t, "most_problems", 0, 1, 1000000),
        warm = check.field(place, owner, t, "warm", "boolean") or false,
        output = text(place, owner, t, "output"), state = text(place, owner, t, "state"),
    }))
end

return campaign
