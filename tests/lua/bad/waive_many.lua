-- expect: 11: kernel 'k' has 17 waivers, limit 16
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N"), hone.i32("N") },
    waive = (function() local w = {}
        for i = 1, 16 do w[i] = { finding = "race", at = "k.cu:" .. i, reason = "why" } end
        w[17] = { finding = "race", at = "k.cu:17", reason = "one more" }
        return w end)(),
}
