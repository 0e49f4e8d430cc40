-- Steps that binary fractions only come near to, and whole ones, whatever the end is.
local hone = require "hone"

return hone.space {
    tune = {
        BLOCK = hone.range(32, 2 ^ 7, 32),
        DOWN = hone.range(1.0, 0.7, -0.1),
        FAR = hone.range(0, 3999999999, 1000000000),
        HUGE = hone.range(0, (1 << 62) - 1, 1 << 61),
        SHORT = hone.range(0, 0.35, 0.1),
        TENTHS = hone.range(0, 0.3, 0.1),
        THIRDS = hone.range(0, 1, 1 / 3),
    },
}
