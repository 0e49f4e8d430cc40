for _ = 1, 2 do
    local ok, message = pcall(require, "circle")
    assert(not ok and message:find("module 'circle' requires itself", 1, true), message)
end
