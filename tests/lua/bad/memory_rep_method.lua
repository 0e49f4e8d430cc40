-- expect: 2: string.rep would make 10000000000.0 bytes, over the script's limit of 8388608
local s = ("x"):rep(10000000000)
