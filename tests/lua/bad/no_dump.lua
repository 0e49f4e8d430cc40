-- expect: 2: attempt to call a nil value (field 'dump')
string.dump(function() end)
