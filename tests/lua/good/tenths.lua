-- Steps that binary fractions only come near to.
local hone = require "hone"

return hone.space {
    tune = {
        DOWN = hone.range(1.0, 0.7, -0.1),
        SHORT = hone.range(0, 0.35, 0.1),
        TENTHS = hone.range(0, 0.3, 0.1),
        THIRDS = hone.range(0, 1, 1 / 3),
    },
}
