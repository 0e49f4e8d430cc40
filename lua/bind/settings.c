// --set NAME=VALUE: another problem size, or one parameter held at one of its values.
#include <string.h>

#include "base/suggest.h"
#include "bind_internal.h"
#include "expr/value_text.h"
#include "hone/strbuf.h"

static const char *type_text(enum hone_type type)
{
    static const char *const texts[] = {[HONE_INT] = "an integer",
                                        [HONE_FLOAT] = "a number",
                                        [HONE_BOOL] = "true or false",
                                        [HONE_STRING] = "a string"};
    return texts[type];
}

static void set_size(lua_State *L, const struct hone_script_set *set,
                     struct hone_constant *size)
{
    if (!hone_value_parse(&size->value, size->value.type, set->value))
        hone_script_raise(L, HONE_EUSAGE, 0, "--set %s=%s: problem size '%s' is %s",
                          set->name, set->value, set->name, type_text(size->value.type));
    if (size->value.type == HONE_STRING)
        size->value.s = hone_script_strdup(L, set->value);
}

// "32, 64, 128", as far as it fits.
static const char *list_values(const struct hone_param *param, char *buf, size_t size)
{
    size_t length = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < param->count; i++) {
        char text[64];
        hone_value_print(text, sizeof text, param->values[i]);
        size_t more = strlen(text) + (i ? 2 : 0);
        if (length + more + sizeof ", ..." > size) {
            strcpy(buf + length, ", ...");
            return buf;
        }
        length +=
            (size_t)snprintf(buf + length, size - length, "%s%s", i ? ", " : "", text);
    }
    return buf;
}

static void pin(lua_State *L, const struct hone_script_set *set, struct hone_param *param)
{
    struct hone_value value;
    const bool is_value = hone_value_parse(&value, param->values[0].type, set->value);
    const struct hone_value *found = is_value ? hone_define_find(param, value) : NULL;
    if (!found) {
        char known[200];
        hone_script_raise(L, HONE_EUSAGE, 0,
                          "--set %s=%s: parameter '%s' has the values %s", set->name,
                          set->value, set->name, list_values(param, known, sizeof known));
    }
    param->values = found;
    param->count = 1;
}

static void refuse_derived(lua_State *L, const char *name,
                           const struct hone_space_def *space)
{
    for (size_t i = 0; i < space->derived_count; i++)
        if (strcmp(space->derived[i].name, name) == 0)
            hone_script_raise(L, HONE_EUSAGE, 0,
                              "--set %s: '%s' is derived, computed as %s: set what that "
                              "reads",
                              name, name, space->derived[i].text);
}

static _Noreturn void unknown(lua_State *L, const char *name,
                              const struct hone_constant *problem, size_t problem_count,
                              const struct hone_param *params, size_t param_count)
{
    const char **names = hone_script_alloc(L, problem_count + param_count, sizeof *names);
    for (size_t i = 0; i < problem_count; i++)
        names[i] = problem[i].name;
    for (size_t i = 0; i < param_count; i++)
        names[problem_count + i] = params[i].name;
    const char *near = hone_suggest(name, names, problem_count + param_count);
    hone_script_raise(L, HONE_EUSAGE, 0,
                      "--set %s: the script has no problem size or parameter '%s'%s%s%s",
                      name, name, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "");
}

const char *hone_settings_find(lua_State *L, const char *name)
{
    const struct hone_script_options *options = hone_script_of(L)->options;
    for (size_t i = options->set_count; i-- > 0;) // as below, the last one counts
        if (strcmp(options->set[i].name, name) == 0) return options->set[i].value;
    return NULL;
}

void hone_settings_apply(lua_State *L, struct hone_constant *problem,
                         size_t problem_count, struct hone_param *params,
                         size_t param_count, const struct hone_space_def *space)
{
    const struct hone_script_options *options = hone_script_of(L)->options;
    for (size_t i = 0; i < options->set_count; i++) {
        const struct hone_script_set *set = &options->set[i];
        size_t size = 0, param = 0;
        while (size < problem_count && strcmp(problem[size].name, set->name) != 0)
            size++;
        while (param < param_count && strcmp(params[param].name, set->name) != 0)
            param++;
        if (size < problem_count)
            set_size(L, set, &problem[size]);
        else if (param < param_count)
            pin(L, set, &params[param]);
        else {
            refuse_derived(L, set->name, space);
            unknown(L, set->name, problem, problem_count, params, param_count);
        }
    }
}
