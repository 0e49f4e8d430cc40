-- expect: 2: this table operation could take 7.3786976294838e+19 steps, over the limit of 1000000000.0
table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)
