-- expect: 2: attempt to index a nil value (global 'os'); scripts have no os or io without --allow-io
local t = os.time()
