-- expect: 2: module 'links.tiles' leads out of the script's folder 'tests/lua/bad'
require "links.tiles"
