-- What the verbs of hone return is opaque to scripts: a handle, whose record only the
-- prelude and C can open. So a record needs no second check, and a script cannot break it
-- later.
local setmetatable = setmetatable

local handle = {}
local records = setmetatable({}, { __mode = "k" })
local metatables = {}

function handle.new(kind, record)
    metatables[kind] = metatables[kind]
        or { __name = "hone." .. kind, __metatable = false }
    local new = setmetatable({}, metatables[kind])
    record.kind = kind
    records[new] = record
    return new
end

-- The record behind value; nil when it is no handle, or of another kind than asked for.
function handle.open(value, kind)
    local record = value ~= nil and records[value]
    if not record or (kind and record.kind ~= kind) then return nil end
    return record
end

return handle
