local hone = require "hone"
return hone.strategy { ask = function() return { { x = 99, y = 1 } } end }
