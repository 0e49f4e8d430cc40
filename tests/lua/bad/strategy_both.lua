-- expect: 4: hone.strategy needs either 'run' or 'ask'
local hone = require "hone"

return hone.strategy { run = print, ask = print }
