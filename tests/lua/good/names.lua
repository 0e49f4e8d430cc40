-- Prints every name that hone exports, for the test that looks them up in the documentation.
local hone = require "hone"
for name in pairs(hone) do print(name) end
return hone.space { tune = { A = { 1 } } }
