-- expect: 2: hone.range(1, 100000000, 1) has more than 65535 values
return #require("hone").range(1, 100000000)
