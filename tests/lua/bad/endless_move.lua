-- expect: 2: table.move could take 9.2233720368548e+18 steps, over the limit of 1000000000.0
table.move({}, 1, math.maxinteger - 1, 2)
