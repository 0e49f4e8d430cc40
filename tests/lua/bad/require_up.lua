-- expect: 2: '..good.tiles' is no module name: modules are hone and files of the script's folder, as in require "tiles" or require "common.tiles"
require "..good.tiles"
