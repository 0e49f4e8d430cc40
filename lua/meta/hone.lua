---@meta hone
-- What `require "hone"` gives, for editors that read LuaCATS annotations
-- (lua-language-server: add this folder to workspace.library). docs/lua-api.md says the
-- same in words.

---Opaque: returned by the functions below, passed to each other.
---@class hone.Argument
---@class hone.Constraint
---@class hone.Definition

---An expression over parameters, derived values, problem sizes and `device.*`; a number.
---@alias hone.Expression string|number

---@alias hone.Value integer|number|string|boolean

---@alias hone.Fill
---| "random"   # or "uniform": in [-1, 1]; integers in -8 .. 8, unsigned ones in 0 .. 8
---| "normal"   # mean 0, standard deviation 1; floating types
---| "integers" # whole numbers low .. high [-8 .. 8, unsigned 0 .. 8], each as likely
---| "constant" # value
---| "file"     # elements of the dtype as they lie in a file beside the script, repeated
---| "zeros"    # or "zero"
---| "one"
---| "index"    # 0, 1, 2, ...
---| "offsets"  # 0, then 0 .. 8 more each time, 4 on average

---@class hone.Filling
---@field fill? hone.Fill
---@field low? integer of fill "integers"
---@field high? integer of fill "integers"
---@field value? number of fill "constant"
---@field file? string of fill "file"
---@field pointers? hone.Expression of parts: the kernel gets an array of pointers
---@field tensor_map? hone.TensorMap the kernel gets a CUtensorMap of the buffer by value
---@field early? boolean of an input: no launch before writes it (see `dependent`)

---@class hone.TensorMap
---@field size hone.Expression[] elements along each axis, the innermost first
---@field box hone.Expression[] elements along each axis that one copy takes
---@field stride? hone.Expression[] elements between neighbours of axes 2, 3, ... [packed]
---@field swizzle? 32|64|128 bytes
---@field interleave? 16|32 bytes
---@field promotion? 64|128|256 bytes, to L2
---@field nan_fill? boolean what lies outside is NaN, else 0

---@alias hone.Dtype
---| "f64" | "f32" | "f16" | "bf16" | "e4m3" | "e5m2"
---| "i64" | "i32" | "i16" | "i8" | "u64" | "u32" | "u16" | "u8"

---@class hone.Launch
---@field grid hone.Expression|hone.Expression[] in blocks, one to three axes
---@field block hone.Expression|hone.Expression[] in threads, one to three axes
---@field shared? hone.Expression dynamic shared bytes; 0 when absent
---@field cluster? hone.Expression|hone.Expression[] in blocks, 1 to 3; else the kernel's
---@field cooperative? boolean all blocks run at once, as `grid.sync()` needs
---@field dependent? boolean may begin before the launch before it has ended

---@class hone.Reference
---@field template string CUDA file of a plain kernel that computes the expected result
---@field entry string its kernel
---@field launch hone.Launch over problem sizes and `device.*` only
---@field precision? "f64" its floating arguments are doubles, and HONE_REAL is `double`

---Sizes as they are; or, with ranges and lists, what `count` (20) sizes are drawn from.
---@alias hone.Sizes table<string, hone.Value|hone.Value[]>

---@class hone.Tolerance
---@field relative? hone.Expression
---@field absolute? hone.Expression
---@field scale? hone.Expression multiplies both
---@field mean? hone.Expression root mean square error over the reference's, above 0

---@class hone.Work
---@field flops? hone.Expression floating-point operations of one launch
---@field bytes? hone.Expression least memory traffic of one launch

---@alias hone.Waivable
---| "race" | "unwritten" | "missing_wait" | "scope" | "read_only_data" | "grid_wait"
---| "tensor_map" | "proxy_fence" | "in_flight" | "wgmma_fence"

---One kind of finding at one line, or in one buffer, that is no fault.
---@class hone.Waiver
---@field finding hone.Waivable
---@field at? string "file.cu:120", as reports name the line; or
---@field buffer? string an argument of the kernel
---@field reason string why the kernel is right nonetheless; every result repeats it

---@class hone.SpaceTable
---@field name? string identifier; the file's name when absent
---@field problem? table<string, hone.Value> constants of the expressions
---@field tune table<string, hone.Value[]> parameters and their values
---@field derive? table<string, hone.Expression> named expressions
---@field where? (string|hone.Constraint)[] all of which a configuration must satisfy

---@class hone.KernelTable : hone.SpaceTable
---@field name string identifier; prefix of the emitted header
---@field template string CUDA file
---@field entry? string kernel in the template; `name` when absent
---@field default? table<string, hone.Value> configuration to start from and compare with
---@field launch hone.Launch
---@field args hone.Argument[] in the order of the kernel's parameters
---@field reference? hone.Reference
---@field problems? table<string, hone.Value>[] tuned together; each may have a `weight`
---@field verify? hone.Sizes[] sizes to verify at, others as in `problem`
---@field tolerance? hone.Tolerance
---@field work? hone.Work
---@field defines? string[] problem sizes that the template needs as #define
---@field options? string[] further NVRTC options that decide what code is made
---@field include? string[] folders of headers that the templates include
---@field l2_set_aside? integer bytes of L2 for lines that the kernel keeps; 0
---@field waive? hone.Waiver[]

---@class hone
---@field version string of the program
local hone = {}

---A kernel to tune; a script returns it.
---@param t hone.KernelTable
---@return hone.Definition
function hone.kernel(t) end

---A search space without a kernel; a script returns it.
---@param t hone.SpaceTable
---@return hone.Definition
function hone.space(t) end

---A constraint that is any Lua: a pure function of the named parameters, derived values,
---problem sizes or `device.*`.
---@param names string[]
---@param f fun(...: hone.Value): boolean
---@return hone.Constraint
function hone.fn(names, f) end

---A configuration: a value for each parameter.
---@alias hone.Config table<string, hone.Value>

---@class hone.Trial
---@field config hone.Config
---@field outcome string "valid", or why it failed: "build_failed", "wrong_result", ...
---@field cost? number microseconds; nil unless valid
---@field reason? string of a failure

---@class hone.Search
---@field state table kept for this search alone
local Search = {}

---Measure a configuration (inside `run` only); one measured before costs no evaluation.
---@param config hone.Config
---@return hone.Trial
function Search:measure(config) end

---A configuration that was not proposed before; nil when all were.
---@return hone.Config?
function Search:random() end

---Valid configurations that differ in one parameter, or by its next value up or down.
---@param config hone.Config
---@param kind? "hamming" | "adjacent"
---@return hone.Config[]
function Search:neighbours(config, kind) end

---Whether the constraints allow a configuration.
---@param config hone.Config
---@return boolean
function Search:valid(config) end

---Whether a configuration was proposed before.
---@param config hone.Config
---@return boolean
function Search:seen(config) end

---The best valid trial so far.
---@return hone.Trial?
function Search:best() end

---A random number in [0, 1), repeated by the seed of the run.
---@return number
function Search:uniform() end

---A random integer in 1 .. n.
---@param n integer
---@return integer
function Search:integer(n) end

---How many configurations the space has.
---@return integer
function Search:count() end

---Evaluations left of the budget; nil where it is a time.
---@return integer?
function Search:left() end

---The parameters and their values.
---@return table<string, hone.Value[]>
function Search:params() end

---What a model expects of a configuration.
---@class hone.Prediction
---@field cost number microseconds
---@field sd number standard deviation of the logarithm of the cost
---@field chance number that it is valid, 0 to 1

---A model of one search's space.
---@class hone.Model
local Model = {}

---What was measured; a trial that it knows already is passed over.
---@param trials hone.Trial | hone.Trial[]
function Model:tell(trials) end

---@param config hone.Config
---@return hone.Prediction? nil while no valid configuration was told
function Model:predict(config) end

---The most promising configuration that was not proposed yet.
---@return hone.Config?
function Model:suggest() end

---Suggestions keep away from config, as if it cost what is predicted, until it is told.
---@param config hone.Config
function Model:believe(config) end

---Forget all that is believed.
function Model:forget() end

---@class hone.StrategyTable
---@field name? string the file's name when absent
---@field description? string one line
---@field run? fun(search: hone.Search) from start to end, measuring as it goes
---@field ask? fun(search: hone.Search, n: integer): hone.Config[] up to n proposals
---@field tell? fun(search: hone.Search, trials: hone.Trial[]) results, in any order

---@class hone.CampaignKernel
---@field script string a file, or a kernel that comes with hone
---@field problems? string|table[] a file of problems, or tables of sizes
---@field set? table<string, number|string|boolean> sizes and pinned parameters
---@field name? string tells its results from others of the kernel
---@field devices? string[] labels of the devices; all when absent
---@field budget? integer|string
---@field options? string[] more words for `hone tune`

---@class hone.CampaignDevice
---@field id? string|string[] "emu:a100", "cuda:0"
---@field name? string the GPU has to have it
---@field via? "local"|"slurm"|"print"
---@field at_once? integer runs at once
---@field partition? string of Slurm, as are the following
---@field gres? string
---@field constraint? string
---@field time? string
---@field account? string
---@field sbatch? string[] more words for sbatch

---@class hone.CampaignTable
---@field kernels hone.CampaignKernel[]
---@field devices hone.CampaignDevice[]
---@field budget? integer|string evaluations, or a time such as "5m"
---@field seed? integer
---@field strategy? string
---@field votes? integer tunings of each problem
---@field warm? boolean a run begins with what the one before it found
---@field tries? integer starts that may fail
---@field most_problems? integer of each kernel
---@field options? string[] more words for `hone tune`
---@field output? string folder of results
---@field state? string folder of what is known of the runs

---The models that the built-in strategies use. Each is of the space of the search given,
---and draws its random numbers from that search.
hone.models = {}

---Kernel regression with an upper confidence bound.
---@param search hone.Search
---@return hone.Model
function hone.models.regression(search) end

---Extra trees with expected improvement.
---@param search hone.Search
---@return hone.Model
function hone.models.trees(search) end

---A Gaussian process with expected improvement.
---@param search hone.Search
---@return hone.Model
function hone.models.gp(search) end

---A search strategy, either as `run` or as `ask` and `tell`.
---@param t hone.StrategyTable
---@return hone.Definition
function hone.strategy(t) end

---A campaign, for `hone campaign`.
---@param t hone.CampaignTable
---@return hone.Definition
function hone.campaign(t) end

---first, first + step, ... up to and including last.
---@param first number
---@param last number
---@param step? number 1 when absent; may be negative
---@return number[]
function hone.range(first, last, step) end

---One of a list of texts: the first, unless `--set NAME=TEXT` names another. Known while
---the script runs; put it into `problem` under the same name.
---@param name string
---@param values string[]
---@return string
function hone.choice(name, values) end

---first, 2 * first, 4 * first, ... up to and including last; both are powers of two.
---@param first integer
---@param last integer
---@return integer[]
function hone.pow2(first, last) end

---A buffer that the kernel reads.
---@param name string
---@param dtype hone.Dtype
---@param size hone.Expression number of elements
---@param options? hone.Filling
---@return hone.Argument
function hone.input(name, dtype, size, options) end

---A buffer that the kernel writes; poisoned before, compared after.
---@param name string
---@param dtype hone.Dtype
---@param size hone.Expression number of elements
---@param options? hone.Filling
---@return hone.Argument
function hone.output(name, dtype, size, options) end

---A buffer that the kernel reads and writes; filled before, compared after.
---@param name string
---@param dtype hone.Dtype
---@param size hone.Expression number of elements
---@param options? hone.Filling
---@return hone.Argument
function hone.inout(name, dtype, size, options) end

---An array passed by value, in a struct of its own: the constant bank holds it.
---@param name string
---@param dtype hone.Dtype
---@param size hone.Expression number of elements
---@param options? hone.Filling
---@return hone.Argument
function hone.constant(name, dtype, size, options) end

---An array of the kernel's module, `__constant__` or `__device__`, that the kernel reads
---by its name in place of a parameter.
---@param name string the variable's
---@param dtype hone.Dtype
---@param size hone.Expression number of elements; at most as many as the variable has
---@param options? hone.Filling
---@return hone.Argument
function hone.symbol(name, dtype, size, options) end

---Room for partial results: any contents before and after a launch.
---@param name string
---@param dtype hone.Dtype
---@param size hone.Expression number of elements, 0 or more; may depend on parameters
---@return hone.Argument
function hone.workspace(name, dtype, size) end

---A scalar argument of type f64.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.f64(name, value) end

---A scalar argument of type f32.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.f32(name, value) end

---A scalar argument of type f16.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.f16(name, value) end

---A scalar argument of type bf16.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.bf16(name, value) end

---A scalar argument of type e4m3.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.e4m3(name, value) end

---A scalar argument of type e5m2.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.e5m2(name, value) end

---A scalar argument of type i64.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.i64(name, value) end

---A scalar argument of type i32.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.i32(name, value) end

---A scalar argument of type i16.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.i16(name, value) end

---A scalar argument of type i8.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.i8(name, value) end

---A scalar argument of type u64.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.u64(name, value) end

---A scalar argument of type u32.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.u32(name, value) end

---A scalar argument of type u16.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.u16(name, value) end

---A scalar argument of type u8.
---@param name string
---@param value? hone.Expression the variable called name when absent
---@return hone.Argument
function hone.u8(name, value) end

return hone
