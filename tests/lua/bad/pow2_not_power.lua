-- expect: 2: first value of hone.pow2 must be a power of two, got 3
return require("hone").pow2(3, 8)
