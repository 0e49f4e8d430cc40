-- expect: 4: 'tell' in hone.strategy goes with 'ask'
local hone = require "hone"

return hone.strategy { run = print, tell = print }
