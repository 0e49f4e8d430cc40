-- expect: 2: step of hone.range must not be 0
return require("hone").range(1, 2, 0)
