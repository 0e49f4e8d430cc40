-- expect: 2: no module 'hone.check': it is neither a part of hone nor the file 'tests/lua/bad/hone/check.lua'
require "hone.check"
