-- expect: 2: hone.range(3, 1, 1) is empty
return require("hone").range(3, 1)
