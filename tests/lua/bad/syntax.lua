-- expect: 3: unexpected symbol near '='
local x = 1
= = 1
