-- A module of the script's folder: lists that several kernels share.
local tiles = {}

function tiles.square(hone) return hone.range(16, 48, 16) end

return tiles
