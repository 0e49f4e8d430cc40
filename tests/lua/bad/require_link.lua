-- expect: 2: module 'links.tiles': 'tests/lua/bad/links/tiles.lua' leads out of 'tests/lua/bad'
require "links.tiles"
