-- expect: 2: attempt to index a nil value (global 'os')
local t = os.time()
