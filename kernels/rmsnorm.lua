-- Root mean square normalisation of rows: threads and vectors a row, rows a block, cache
-- hints. Chosen by --set: TYPE, OUT, RESIDUAL, QUANT. See docs/templates/rmsnorm.md.
local hone = require "hone"
local norm = require "common.norm"

return hone.kernel(norm.definition {
    name = "rmsnorm", template = "rmsnorm.cu", shared = 4, biased = false,
})
