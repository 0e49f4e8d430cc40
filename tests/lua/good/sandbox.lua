-- What scripts may do all works; each line is asserted here and the script ends in a space.
local hone = require "hone"

assert(require "hone" == hone and require "tiles" == require "tiles")
assert(require "sub.module".name == "sub.module")
assert(not pcall(require, "gone") and not pcall(require, "sub.broken"))

-- coroutines, closing and error handling as in plain Lua
local steps = {}
local co = coroutine.wrap(function(a)
    local b = coroutine.yield(a + 1)
    return b * 2
end)
assert(co(1) == 2 and co(5) == 10 and not pcall(co))
local closed = 0
local on_close = setmetatable({}, { __close = function() closed = closed + 1 end })
assert(not pcall(coroutine.wrap(function() local x <close> = on_close error("x") end)))
local suspended = coroutine.create(function() local x <close> = on_close coroutine.yield() end)
assert(coroutine.resume(suspended) and coroutine.close(suspended))
assert(closed == 2)

local ok, a, b = xpcall(function(...) return ... end, print, 1, 2)
assert(ok and a == 1 and b == 2)
local failed, message = xpcall(error, function(m) return "handled " .. m end, "this", 0)
assert(not failed and message == "handled this")
local in_coroutine = coroutine.wrap(function()
    return select("#", xpcall(function() return coroutine.yield("inside"), 2, 3 end, print))
end)
assert(in_coroutine() == "inside" and in_coroutine("x") == 4)

-- a refused allocation can be recovered from
local refused = pcall(function()
    local t = {}
    for i = 1, 100000 do t[i] = ("x"):rep(1000) .. i end
end)
assert(not refused)

-- bounded functions do their work
assert(("key = value"):match("^(%w+)%s*=%s*(%w+)$") == "key")
assert(("a,b,c"):gsub(",", ";") == "a;b;c")
assert(("ab"):rep(3, "-") == "ab-ab-ab" and (""):rep(10) == "")
local words = {}
for word in ("one two"):gmatch("%a+") do table.insert(words, word) end
table.insert(words, 1, "zero")
table.sort(words)
assert(table.concat(words, " ") == "one two zero" and table.remove(words, 1) == "one")
assert(table.unpack(table.move({ 1, 2, 3 }, 2, 3, 1)) == 2)
local proxy = setmetatable({}, { __len = function() return 2 end, __index = { "x", "y" } })
assert(table.concat(proxy) == "xy")

assert(load("return 1 + 1")() == 2 and load("return x", "c", "t", { x = 3 })() == 3)
assert(collectgarbage("count") > 0 and getmetatable(hone.fn({ "A" }, print)) == false)
print("random", math.random(1, 1000000), nil)
warn("careful", "!")

-- A method that a script puts into a library does not reach the checks of hone.
string.format = function() error("reached") end
table.sort = string.format

return hone.space { tune = { A = { 1, 2 } } }
