#include "report/space.h"

#include "record/json_out.h"
#include "report/values.h"

static struct json_t *constraints_json(const struct hone_space *space)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < hone_space_constraint_count(space); i++) {
        struct hone_constraint_info info;
        hone_space_constraint_info(space, i, &info);
        struct json_t *object = hone_json_object();
        hone_json_text(object, "text", info.text);
        hone_json_integer(object, "line", info.line);
        hone_json_number(object, "removed", info.removed);
        hone_json_number(object, "removed_alone", info.alone);
        hone_json_integer(object, "failed", (int64_t)info.failed);
        hone_json_integer(object, "overflowed", (int64_t)info.overflow);
        hone_json_append(list, object);
    }
    return list;
}

static struct json_t *params_json(const struct hone_space *space)
{
    struct json_t *object = hone_json_object();
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        struct json_t *values = hone_json_array();
        for (size_t v = 0; v < param->count; v++)
            hone_json_append_value(values, param->values[v]);
        hone_json_child(object, param->name, values);
    }
    return object;
}

static void add_count_json(struct json_t *root, const struct hone_space *space)
{
    double error;
    const double valid = hone_space_valid(space, &error);
    if (!hone_space_is_sampled(space)) {
        hone_json_integer(root, "valid", (int64_t)hone_space_count(space));
        return;
    }
    hone_json_number(root, "valid_estimate", valid);
    hone_json_number(root, "valid_standard_error", error);
    hone_json_integer(root, "sampled", (int64_t)hone_space_count(space));
}

struct json_t *hone_space_json(const struct hone_workbench *bench, const uint64_t *sample,
                               size_t count)
{
    const struct hone_space *space = bench->space;
    struct json_t *root = hone_json_object(), *configs = hone_json_array();
    hone_json_text(root, "script", hone_script_def(bench->script)->source);
    hone_json_text(root, "limits_of", bench->limits.name);
    hone_json_number(root, "cartesian", hone_space_cartesian(space));
    add_count_json(root, space);
    hone_json_child(root, "params", params_json(space));
    hone_json_child(root, "constraints", constraints_json(space));
    for (size_t i = 0; i < count; i++)
        hone_json_append(configs, hone_config_json(space, sample[i]));
    hone_json_child(root, "sample", configs);
    return root;
}

static struct json_t *finding_json(const struct hone_space *space,
                                   const struct hone_lint *finding)
{
    static const char *const kinds[] = {[HONE_LINT_REMOVES_NOTHING] = "removes_nothing",
                                        [HONE_LINT_VALUE_UNUSED] = "value_unused",
                                        [HONE_LINT_FUNCTION_FIRST] = "function_first"};
    const struct hone_param *param = hone_space_param(space, finding->param);
    struct hone_constraint_info info;
    struct json_t *object = hone_json_object();
    hone_json_text(object, "kind", kinds[finding->kind]);
    if (finding->kind == HONE_LINT_VALUE_UNUSED) {
        struct json_t *values = hone_json_array();
        hone_json_append_value(values, param->values[finding->value]);
        hone_json_child(object, param->name, values);
        return object;
    }
    hone_space_constraint_info(space, finding->constraint, &info);
    hone_json_text(object, "constraint", info.text);
    hone_json_integer(object, "line", info.line);
    if (finding->kind == HONE_LINT_FUNCTION_FIRST) {
        hone_space_constraint_info(space, finding->other, &info);
        hone_json_text(object, "before", info.text);
    }
    return object;
}

static struct json_t *changes_nothing_json(const char *name, size_t pairs)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "kind", "parameter_changes_nothing");
    hone_json_text(object, "parameter", name);
    hone_json_integer(object, "pairs", (int64_t)pairs);
    return object;
}

struct json_t *hone_script_lint_json(const struct hone_script_lint *lint,
                                     const struct hone_space *space)
{
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < lint->count; i++)
        hone_json_append(list, finding_json(space, &lint->findings[i]));
    for (size_t p = 0; p < hone_space_param_count(space) && lint->effects; p++)
        if (hone_changes_nothing(&lint->effects[p]))
            hone_json_append(list, changes_nothing_json(hone_space_param(space, p)->name,
                                                        lint->effects[p].pairs));
    return list;
}
