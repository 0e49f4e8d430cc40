-- Layer normalisation of rows: threads and vectors a row, rows a block, cache hints.
-- Chosen by --set: TYPE, OUT, RESIDUAL, QUANT. See docs/templates/layernorm.md.
local hone = require "hone"
local norm = require "common.norm"

return hone.kernel(norm.definition {
    name = "layernorm", template = "layernorm.cu", shared = 12, biased = true,
})
