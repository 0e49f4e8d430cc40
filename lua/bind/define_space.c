// The space of a record, and its defaults. Names are sorted here, once, since the order
// in which Lua walks a table changes from run to run.
#include <stdlib.h>
#include <string.h>

#include "bind_internal.h"
#include "define_fields.h"

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The keys of the table on top, in strcmp's order.
static const char **sorted_keys(lua_State *L, size_t *count)
{
    *count = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        ++*count;
    const char **keys = hone_script_alloc(L, *count, sizeof *keys);
    size_t i = 0;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        keys[i++] = hone_script_strdup(L, lua_tostring(L, -2));
    qsort(keys, *count, sizeof *keys, by_text);
    return keys;
}

static struct hone_param *read_params(lua_State *L, size_t *count)
{
    lua_getfield(L, HONE_DEFINE_RECORD, "tune");
    const char **names = sorted_keys(L, count);
    struct hone_param *params = hone_script_alloc(L, *count, sizeof *params);
    for (size_t i = 0; i < *count; i++) {
        lua_getfield(L, -1, names[i]);
        size_t n = (size_t)lua_rawlen(L, -1);
        struct hone_value *values = hone_script_alloc(L, n, sizeof *values);
        for (size_t j = 0; j < n; j++) {
            lua_rawgeti(L, -1, (lua_Integer)j + 1);
            values[j] = hone_script_to_value(L, -1);
            lua_pop(L, 1);
        }
        params[i] = (struct hone_param){.name = names[i], .values = values, .count = n};
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return params;
}

// The problem's sizes, then room for the device's limits.
static struct hone_constant *read_constants(lua_State *L, size_t *problem_count,
                                            size_t *count)
{
    const struct hone_limits *limits = hone_script_of(L)->options->limits;
    size_t limit_count = 0;
    while (hone_limits_name(limit_count))
        limit_count++;
    lua_getfield(L, HONE_DEFINE_RECORD, "problem");
    const char **names = sorted_keys(L, problem_count);
    *count = *problem_count + limit_count;
    struct hone_constant *constants = hone_script_alloc(L, *count, sizeof *constants);
    for (size_t i = 0; i < *problem_count; i++) {
        lua_getfield(L, -1, names[i]);
        constants[i] = (struct hone_constant){.name = names[i],
                                              .value = hone_script_to_value(L, -1)};
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < limit_count; i++) {
        struct hone_constant *constant = &constants[*problem_count + i];
        const char *name = lua_pushfstring(L, "device.%s", hone_limits_name(i));
        constant->name = hone_script_strdup(L, name);
        constant->value.type = HONE_INT;
        hone_limits_get(limits, hone_limits_name(i), &constant->value.i);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return constants;
}

static int by_derived_name(const void *a, const void *b)
{
    const struct hone_derived *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static const struct hone_derived *read_derived(lua_State *L, size_t *count)
{
    *count = hone_define_open_list(L, "derive");
    struct hone_derived *derived = hone_script_alloc(L, *count, sizeof *derived);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        derived[i].name = hone_define_text_field(L, "name");
        derived[i].text = hone_define_text_field(L, "text");
        derived[i].line = hone_define_line_field(L, "line");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    qsort(derived, *count, sizeof *derived, by_derived_name);
    return derived;
}

// The function behind a constraint, kept in the registry for as long as the state lives.
static void read_predicate(lua_State *L, struct hone_constraint *constraint)
{
    struct hone_script_predicate *predicate = hone_script_alloc(L, 1, sizeof *predicate);
    predicate->script = hone_script_of(L);
    lua_getfield(L, -1, "vars");
    constraint->vars = hone_define_text_list(L, &constraint->var_count);
    lua_pop(L, 1);
    lua_getfield(L, -1, "fn");
    predicate->function = luaL_ref(L, LUA_REGISTRYINDEX);
    constraint->holds = hone_script_predicate_holds;
    constraint->context = predicate;
}

static const struct hone_constraint *read_constraints(lua_State *L, size_t *count)
{
    *count = hone_define_open_list(L, "where");
    struct hone_constraint *constraints =
        hone_script_alloc(L, *count, sizeof *constraints);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        constraints[i].text = hone_define_text_field(L, "text");
        constraints[i].line = hone_define_line_field(L, "line");
        bool is_function = lua_getfield(L, -1, "fn") != LUA_TNIL;
        lua_pop(L, 1);
        if (is_function) read_predicate(L, &constraints[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return constraints;
}

void hone_define_space(lua_State *L, struct hone_kernel_def *def)
{
    struct hone_space_def *space = &def->space;
    lua_pushvalue(L, HONE_DEFINE_RECORD);
    def->source = space->source = hone_define_text_field(L, "file");
    def->name = hone_define_text_field(L, "name");
    space->line = hone_define_line_field(L, "tune_line");
    lua_pop(L, 1);
    struct hone_param *params = read_params(L, &space->param_count);
    struct hone_constant *constants =
        read_constants(L, &def->problem_count, &space->constant_count);
    space->derived = read_derived(L, &space->derived_count);
    space->constraints = read_constraints(L, &space->constraint_count);
    hone_settings_apply(L, constants, def->problem_count, params, space->param_count,
                        space);
    space->params = params;
    space->constants = constants;
}

const struct hone_value *hone_define_find(const struct hone_param *param,
                                          struct hone_value value)
{
    double wanted, has;
    bool number = value.type == HONE_INT || value.type == HONE_FLOAT;
    for (size_t i = 0; i < param->count; i++) {
        if (hone_value_same(param->values[i], value)) return &param->values[i];
        if (number && hone_value_to_double(value, &wanted) &&
            hone_value_to_double(param->values[i], &has) && wanted == has)
            return &param->values[i];
    }
    return NULL;
}

// The default of one parameter. One that has a single value (--set pins it) needs none.
static struct hone_value read_default(lua_State *L, const struct hone_param *param,
                                      int line)
{
    struct hone_value value = param->values[0];
    bool given = lua_getfield(L, -1, param->name) != LUA_TNIL;
    if (given && param->count > 1) {
        struct hone_value wanted = hone_script_to_value(L, -1);
        const struct hone_value *found = hone_define_find(param, wanted);
        char text[64];
        hone_value_print(text, sizeof text, wanted);
        if (found)
            value = *found;
        else
            hone_script_raise(L, HONE_EINPUT, line,
                              "default %s = %s is not among the values of '%s'",
                              param->name, text, param->name);
    } else if (!given && param->count > 1) {
        hone_script_raise(L, HONE_EINPUT, line, "default of hone.kernel lacks '%s'",
                          param->name);
    }
    lua_pop(L, 1);
    return value;
}

void hone_define_defaults(lua_State *L, struct hone_kernel_def *def)
{
    if (lua_getfield(L, HONE_DEFINE_RECORD, "default") != LUA_TNIL) {
        lua_pushvalue(L, HONE_DEFINE_RECORD);
        int line = hone_define_line_field(L, "default_line");
        lua_pop(L, 1);
        struct hone_value *defaults =
            hone_script_alloc(L, def->space.param_count, sizeof *defaults);
        for (size_t i = 0; i < def->space.param_count; i++)
            defaults[i] = read_default(L, &def->space.params[i], line);
        def->defaults = defaults;
    }
    lua_pop(L, 1);
}
