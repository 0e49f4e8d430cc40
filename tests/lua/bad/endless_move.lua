-- expect: 2: table.move could take 2.9514790517935e+20 steps, over the limit of 1000000000.0
table.move({}, 1, math.maxinteger - 1, 2)
