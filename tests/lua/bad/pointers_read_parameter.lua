-- expect: 8: pointers of argument 'x' 'BLOCK' depends on 'BLOCK', but the reference knows only problem sizes and device limits
local hone = require "hone"
return hone.kernel {
    name = "k", template = "copy.cu",
    problem = { N = 8 },
    tune = { BLOCK = { 32, 64 } },
    launch = { grid = 1, block = "BLOCK" },
    args = { hone.input("x", "f32", "N", { pointers = "BLOCK" }) },
    reference = { template = "copy.cu", entry = "copy",
        launch = { grid = 1, block = 32 } },
}
