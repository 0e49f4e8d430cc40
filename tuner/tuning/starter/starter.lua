-- y = alpha * x + y: what is tuned, and what must hold.
--
--   hone check starter.lua --lint     does the template keep what it promises?
--   hone check starter.lua --all      is every configuration right?
--   hone tune  starter.lua -o starter.h
--
-- Expressions are Lua 5.4 in strings. They see parameters, derived values, the sizes of
-- problem, and the limits of the GPU as device.NAME.
local hone = require "hone"

return hone.kernel {
    name     = "starter",
    template = "starter.cu",

    -- Sizes that are tuned for; "--set N=1000" takes another one.
    problem  = { N = 1 << 24 },

    -- Parameters and their values. The template gets each as a #define.
    tune     = {
        BLOCK = hone.pow2(64, 1024),
        ITEMS = { 1, 2, 4, 8, 16 },
        VEC   = { 1, 2, 4 },
    },
    -- Names for what is used more than once.
    derive   = { TILE = "BLOCK * ITEMS" },
    -- What must hold: the static_asserts of the template, and the limits of the GPU.
    where    = {
        "ITEMS % VEC == 0",
        "BLOCK <= device.max_threads_per_block",
    },
    -- Where the search starts, and what gains are measured against.
    default  = { BLOCK = 256, ITEMS = 4, VEC = 4 },

    -- How it is launched; shared = "BYTES" asks for dynamic shared memory.
    launch   = { grid = { "ceil_div(N, TILE)" }, block = { "BLOCK" } },
    -- The kernel's arguments, in its order. A size counts elements.
    args     = {
        hone.input("x", "f32", "N"), hone.inout("y", "f32", "N"),
        hone.f32("alpha", "1.5"), hone.i32("N"),
    },

    -- A configuration is timed only after it gave the reference's result at each of
    -- these sizes: whole tiles, cut ones, a single element.
    reference = {
        template = "starter_reference.cu", entry = "starter_reference",
        launch = { grid = { "ceil_div(N, 256)" }, block = { 256 } },
    },
    verify   = { { N = 65536 }, { N = 20011 }, { N = 1 } },
    -- Both round once, by fmaf: all bits must agree. Say why a tolerance is what it is.
    tolerance = { relative = 0, absolute = 0 },

    -- Of one launch, for rates: operations, and the least bytes that must be moved.
    work     = { flops = "2 * N", bytes = "12 * N" },
}
