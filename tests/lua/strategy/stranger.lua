local hone = require "hone"
return hone.strategy { ask = function() return { { x = 1, y = 1, yy = 2 } } end }
