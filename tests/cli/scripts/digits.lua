-- 20 digits of a bounded sum: 1e20 combinations in one component, too many to list.
local hone = require "hone"
local tune, digits = {}, {}
for i = 1, 20 do
    digits[i] = ("D%02d"):format(i)
    tune[digits[i]] = hone.range(0, 9)
end
return hone.space { tune = tune, where = { table.concat(digits, " + ") .. " <= 80" } }
