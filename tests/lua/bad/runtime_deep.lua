-- expect: 3: attempt to perform arithmetic on a nil value (local 'x')
local function f(x)
    return x + 1
end
local y = f() .. ""
