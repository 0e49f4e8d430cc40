-- expect: 2: attempt to load a binary chunk (mode is 't')
error((select(2, load("\27Lua", "=(x)", "b"))) , 1)
