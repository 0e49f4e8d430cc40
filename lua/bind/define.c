// From the record that the prelude made of a script's table to a kernel definition in C.
// The prelude has checked the record's form.
#include <assert.h>
#include <string.h>

#include "bind_internal.h"
#include "define_fields.h"
#include "render/fill_data.h"

static void read_axes(lua_State *L, const char *key, const char *axes[3])
{
    lua_getfield(L, -1, key);
    size_t count = (size_t)lua_rawlen(L, -1);
    for (size_t i = 0; i < count; i++)
        axes[i] = hone_define_text_item(L, i);
    lua_pop(L, 1);
}

// The launch table in field "launch" of the table on top.
static struct hone_launch_def read_launch(lua_State *L)
{
    struct hone_launch_def launch = {0};
    lua_getfield(L, -1, "launch");
    read_axes(L, "grid", launch.grid);
    read_axes(L, "block", launch.block);
    read_axes(L, "cluster", launch.cluster);
    launch.shared = hone_define_text_field(L, "shared");
    if (hone_define_flag_field(L, "cooperative")) launch.flags |= HONE_LAUNCH_COOPERATIVE;
    if (hone_define_flag_field(L, "dependent")) launch.flags |= HONE_LAUNCH_DEPENDENT;
    launch.line = hone_define_line_field(L, "line");
    lua_pop(L, 1);
    return launch;
}

static unsigned position(const char *text, const char *const *names, unsigned count)
{
    unsigned i = 0;
    while (i + 1 < count && strcmp(names[i], text) != 0)
        i++;
    return i;
}

// The recipe in field "tensor_map" of the table on top; NULL without one.
static const struct hone_map_def *read_map(lua_State *L)
{
    struct hone_map_def *map = NULL;
    if (lua_getfield(L, -1, "tensor_map") != LUA_TNIL) {
        map = hone_script_alloc(L, 1, sizeof *map);
        map->modes.swizzle = (uint32_t)hone_define_number_field(L, "swizzle");
        map->modes.interleave = (uint32_t)hone_define_number_field(L, "interleave");
        map->modes.promotion = (uint32_t)hone_define_number_field(L, "promotion");
        map->modes.nan_fill = (uint32_t)hone_define_number_field(L, "nan_fill");
        lua_getfield(L, -1, "axes");
        map->rank = (size_t)lua_rawlen(L, -1);
        for (size_t i = 0; i < map->rank; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            map->axes[i].size = hone_define_text_field(L, "size");
            map->axes[i].box = hone_define_text_field(L, "box");
            map->axes[i].stride = hone_define_text_field(L, "stride");
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return map;
}

// The record on top holds them.
static struct hone_tolerance_def read_bounds(lua_State *L, int line)
{
    return (struct hone_tolerance_def){.relative = hone_define_text_field(L, "relative"),
                                       .absolute = hone_define_text_field(L, "absolute"),
                                       .scale = hone_define_text_field(L, "scale"),
                                       .mean = hone_define_text_field(L, "mean"),
                                       .line = line};
}

// NULL: the argument has none of its own.
static const struct hone_tolerance_def *read_tolerance(lua_State *L, int line)
{
    struct hone_tolerance_def *tolerance = NULL;
    if (lua_getfield(L, -1, "tolerance") != LUA_TNIL) {
        tolerance = hone_script_alloc(L, 1, sizeof *tolerance);
        *tolerance = read_bounds(L, line);
    }
    lua_pop(L, 1);
    return tolerance;
}

static struct hone_arg_def read_arg(lua_State *L)
{
    static const char *const roles[] = {
#define ROLE_NAME(name, text) [HONE_ARG_##name] = (text),
        HONE_ARG_LIST(ROLE_NAME)
#undef ROLE_NAME
    };
    static const char *const fills[] = {
#define FILL_NAME(name, text) [HONE_FILL_##name] = (text),
        HONE_FILL_LIST(FILL_NAME)
#undef FILL_NAME
    };
    struct hone_arg_def arg = {.name = hone_define_text_field(L, "name"),
                               .size = hone_define_text_field(L, "size"),
                               .pointers = hone_define_text_field(L, "pointers"),
                               .map = read_map(L),
                               .line = hone_define_line_field(L, "line")};
    arg.kind = (enum hone_arg_kind)position(hone_define_text_field(L, "role"), roles,
                                            HONE_ARG_COUNT);
    arg.fill = (enum hone_fill)position(hone_define_text_field(L, "fill"), fills,
                                        HONE_FILL_COUNT);
    hone_dtype_parse(&arg.dtype, hone_define_text_field(L, "dtype"));
    arg.early = hone_define_flag_field(L, "early");
    arg.tolerance = read_tolerance(L, arg.line);
    arg.data.low = hone_define_number_field(L, "low");
    arg.data.high = hone_define_number_field(L, "high");
    if (arg.fill == HONE_FILL_FILE)
        hone_data_load(L, &arg.data, hone_define_text_field(L, "file"), arg.dtype,
                       arg.line);
    if (!hone_fill_data_fits(&arg.data, arg.fill, arg.dtype))
        hone_script_raise(L, HONE_EINPUT, arg.line,
                          "argument '%s': %s cannot hold what fill '%s' makes of %g and "
                          "%g, or they are not in order",
                          arg.name, hone_dtype_name(arg.dtype), fills[arg.fill],
                          arg.data.low, arg.data.high);
    return arg;
}

static void read_args(lua_State *L, struct hone_kernel_def *def)
{
    def->arg_count = hone_define_open_list(L, "args");
    struct hone_arg_def *args = hone_script_alloc(L, def->arg_count, sizeof *args);
    for (size_t i = 0; i < def->arg_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        args[i] = read_arg(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    def->args = args;
}

static void read_reference(lua_State *L, struct hone_kernel_def *def)
{
    if (lua_getfield(L, HONE_DEFINE_RECORD, "reference") != LUA_TNIL) {
        def->reference.launch = read_launch(L);
        def->reference.entry = hone_define_text_field(L, "entry");
        lua_getfield(L, -1, "wide");
        def->reference.wide = lua_toboolean(L, -1);
        lua_pop(L, 1);
        def->reference.template_path = hone_templates_find(
            L, hone_define_text_field(L, "template"), def->reference.launch.line);
    }
    lua_pop(L, 1);
}

// The problem's own values where the table on top names no other.
static struct hone_value *read_problem(lua_State *L, const struct hone_kernel_def *def)
{
    struct hone_value *values = hone_script_alloc(L, def->problem_count, sizeof *values);
    for (size_t i = 0; i < def->problem_count; i++) {
        const struct hone_constant *constant = &def->space.constants[i];
        values[i] = constant->value;
        if (lua_getfield(L, -1, constant->name) != LUA_TNIL)
            values[i] = hone_script_to_value(L, -1);
        lua_pop(L, 1);
        assert(values[i].type == constant->value.type);
    }
    return values;
}

static void read_verify(lua_State *L, struct hone_kernel_def *def)
{
    def->verify_line = hone_define_line_field(L, "verify_line");
    def->verify_count = hone_define_open_list(L, "verify");
    struct hone_problem *verify = hone_script_alloc(L, def->verify_count, sizeof *verify);
    for (size_t i = 0; i < def->verify_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        verify[i].values = read_problem(L, def);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    def->verify = verify;
}

static double read_weight(lua_State *L, const struct hone_kernel_def *def)
{
    double weight = 1;
    for (size_t i = 0; i < def->problem_count; i++)
        if (strcmp(def->space.constants[i].name, "weight") == 0) return 1; // a size
    if (lua_getfield(L, -1, "weight") != LUA_TNIL) weight = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return weight;
}

// A size given by --set counts in every problem.
static void read_problems(lua_State *L, struct hone_kernel_def *def)
{
    def->problems_count = hone_define_open_list(L, "problems");
    struct hone_problem *problems =
        hone_script_alloc(L, def->problems_count, sizeof *problems);
    double *weights = hone_script_alloc(L, def->problems_count, sizeof *weights);
    for (size_t i = 0; i < def->problems_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        struct hone_value *values = read_problem(L, def);
        weights[i] = read_weight(L, def);
        for (size_t k = 0; k < def->problem_count; k++)
            if (hone_settings_find(L, def->space.constants[k].name))
                values[k] = def->space.constants[k].value;
        problems[i].values = values;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    def->problems = problems;
    def->weights = weights;
}

static void read_includes(lua_State *L, struct hone_kernel_def *def)
{
    const int line = hone_define_line_field(L, "include_line");
    lua_getfield(L, -1, "include");
    def->include_count = (size_t)lua_rawlen(L, -1);
    struct hone_include_folder *includes =
        hone_script_alloc(L, def->include_count, sizeof *includes);
    for (size_t i = 0; i < def->include_count; i++) {
        includes[i].name = hone_define_text_item(L, i);
        hone_templates_find_include(L, &includes[i], line);
    }
    lua_pop(L, 1);
    def->includes = includes;
}

static void read_figures(lua_State *L, struct hone_kernel_def *def)
{
    lua_getfield(L, HONE_DEFINE_RECORD, "tolerance");
    def->tolerance = read_bounds(L, hone_define_line_field(L, "line"));
    lua_getfield(L, HONE_DEFINE_RECORD, "work");
    def->work_flops = hone_define_text_field(L, "flops");
    def->work_bytes = hone_define_text_field(L, "bytes");
    def->work_line = hone_define_line_field(L, "line");
    lua_getfield(L, HONE_DEFINE_RECORD, "defines");
    def->defines = hone_define_text_list(L, &def->define_count);
    lua_getfield(L, HONE_DEFINE_RECORD, "options");
    def->options = hone_define_text_list(L, &def->option_count);
    lua_getfield(L, HONE_DEFINE_RECORD, "l2_set_aside");
    def->l2_set_aside = (uint64_t)lua_tointeger(L, -1);
    lua_pop(L, 5);
    def->options_line = hone_define_line_field(L, "options_line");
    read_includes(L, def);
}

static void read_kernel(lua_State *L, struct hone_kernel_def *def)
{
    hone_define_defaults(L, def);
    lua_pushvalue(L, HONE_DEFINE_RECORD);
    def->entry = hone_define_text_field(L, "entry");
    def->launch = read_launch(L);
    def->template_path = hone_templates_find(L, hone_define_text_field(L, "template"),
                                             hone_define_line_field(L, "line"));
    def->template_folders = hone_templates_folders(L, &def->template_folder_count);
    def->fixed_folders = true;
    def->reads_anywhere = hone_script_of(L)->options->allow_io;
    lua_pop(L, 1);
    read_args(L, def);
    read_reference(L, def);
    read_verify(L, def);
    read_problems(L, def);
    read_figures(L, def);
    lua_getfield(L, HONE_DEFINE_RECORD, "waive");
    hone_waivers_read(L, def);
    lua_getfield(L, HONE_DEFINE_RECORD, "draws");
    hone_draws_read(L, def);
    lua_pop(L, 2);
}

// define(record)
int hone_define(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    lua_settop(L, HONE_DEFINE_RECORD);
    lua_getfield(L, HONE_DEFINE_RECORD, "kind");
    const char *kind = lua_tostring(L, -1);
    bool is_kernel = strcmp(kind, "kernel") == 0;
    bool is_strategy = strcmp(kind, "strategy") == 0;
    bool is_campaign = strcmp(kind, "campaign") == 0;
    lua_pop(L, 1);
    if (is_strategy) return hone_strategy_define(L);
    if (is_campaign) return hone_campaign_define(L);
    script->kind = is_kernel ? HONE_SCRIPT_KERNEL : HONE_SCRIPT_SPACE;
    hone_define_space(L, &script->def);
    if (is_kernel) read_kernel(L, &script->def);
    return 0;
}
