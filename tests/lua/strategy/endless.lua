local hone = require "hone"
return hone.strategy { ask = function() while true do end end }
