-- expect: tests/lua/bad/syntax.lua:3: unexpected symbol near '='
require "syntax"
