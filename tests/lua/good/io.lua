-- Runs only where io is allowed.
local hone = require "hone"
local file = assert(io.open("tests/lua/good/io.lua"))
assert(file:read("l"):find("Runs only") and os.time() > 0)
file:close()
return hone.space { tune = { A = { 1 } } }
