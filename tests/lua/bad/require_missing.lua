-- expect: 2: no module 'gone': it is neither a part of hone nor the file 'tests/lua/bad/gone.lua'
require "gone"
