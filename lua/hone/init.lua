-- require "hone": what kernel and space scripts are written with. docs/lua-api.md
-- describes it.
local _, core = ...
local args = require "hone.args"
local campaign = require "hone.campaign"
local definition = require "hone.definition"
local strategy = require "hone.strategy"
local values = require "hone.values"

-- located(f)(...) calls f(place, ...) with the place of the call in the script.
local located = core.located

local hone = {
    kernel = located(definition.kernel),
    space = located(definition.space),
    fn = located(definition.fn),
    strategy = located(strategy.define),
    campaign = located(campaign.define),
    choice = located(values.choice),
    range = located(values.range),
    pow2 = located(values.pow2),
    input = located(args.buffer("input")),
    output = located(args.buffer("output")),
    inout = located(args.buffer("inout")),
    constant = located(args.buffer("constant")),
    symbol = located(args.buffer("symbol")),
    workspace = located(args.buffer("workspace")),
    version = core.version,
}

-- The models of the built-in strategies, each of the space of one search.
hone.models = {
    regression = function(search) return core.model("regression", search) end,
    trees = function(search) return core.model("trees", search) end,
    gp = function(search) return core.model("gaussian", search) end,
}

for _, dtype in ipairs(args.dtypes) do hone[dtype] = located(args.scalar(dtype)) end

return hone
