-- Every way to fill a buffer.
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = {
        hone.input("a", "f32", "N", { fill = "random", early = true }),
        hone.input("b", "bf16", "N", { fill = "normal" }),
        hone.input("c", "i8", "N", { fill = "integers" }),
        hone.input("d", "u16", "N", { fill = "integers", high = 40000 }),
        hone.input("e", "f16", "N", { fill = "constant", value = -0.5 }),
        hone.input("f", "f32", "N", { fill = "file", file = "four.bin" }),
        hone.inout("g", "f32", "N", { fill = "zeros" }),
        hone.input("m", "f32", "N", { tensor_map = {
            size = { "N // 2", 2 }, box = { "BLOCK", 1 }, stride = { "N // 2" },
            swizzle = 128, promotion = 256, nan_fill = true } }),
        hone.input("h", "i32", "N", { fill = "offsets", pointers = "N // 2" }),
    },
}
