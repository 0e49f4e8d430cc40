-- expect: 2: hone.range(-9223372036854775808, 9223372036854775807, 1) reaches too far: sizes are drawn from fewer than 2^53 values, less than 2^63 apart
return require("hone").range(math.mininteger, math.maxinteger)
