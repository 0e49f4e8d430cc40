-- expect: 3: unknown key 'launch' in hone.space
local hone = require "hone"
return hone.space { tune = { A = { 1 } }, launch = {} }
