// hone space --lint: what looks unintended in a script, as text and as JSON.
#include "space_lint.h"

#include <stdio.h>

#include "record/json_out.h"
#include "tuning/script_lint.h"

// --- text ---

static void print_finding(const struct hone_space *space, const struct hone_lint *finding)
{
    struct hone_constraint_info info = {0}, other = {0};
    char value[64] = "";
    const struct hone_param *param = hone_space_param(space, finding->param);
    switch (finding->kind) {
    case HONE_LINT_REMOVES_NOTHING:
        hone_space_constraint_info(space, finding->constraint, &info);
        printf("  line %d: constraint '%s' removes nothing\n", info.line, info.text);
        break;
    case HONE_LINT_VALUE_UNUSED:
        hone_value_print(value, sizeof value, param->values[finding->value]);
        printf("  no valid configuration has %s = %s\n", param->name, value);
        break;
    case HONE_LINT_FUNCTION_FIRST:
        hone_space_constraint_info(space, finding->constraint, &info);
        hone_space_constraint_info(space, finding->other, &other);
        printf("  line %d: the function '%s' is called before '%s' is tested: "
               "move it behind line %d\n",
               info.line, info.text, other.text, other.line);
        break;
    }
}

enum hone_status cli_lint_print(struct hone_workbench *bench, struct hone_error *err)
{
    struct hone_script_lint lint;
    enum hone_status status = hone_script_lint(&lint, bench, err);
    const size_t params = hone_space_param_count(bench->space);
    size_t idle = 0;
    for (size_t p = 0; p < params && lint.effects; p++)
        idle += hone_changes_nothing(&lint.effects[p]);
    const size_t all = lint.count + idle;
    if (status == HONE_OK) printf("\nlint: %zu finding%s\n", all, all == 1 ? "" : "s");
    for (size_t i = 0; i < lint.count && status == HONE_OK; i++)
        print_finding(bench->space, &lint.findings[i]);
    for (size_t p = 0; p < params && status == HONE_OK && lint.effects; p++)
        if (hone_changes_nothing(&lint.effects[p]))
            printf("  parameter '%s' changes nothing: the same %s and launch in %zu "
                   "pairs of configurations\n",
                   hone_space_param(bench->space, p)->name,
                   bench->builder ? "machine code" : "source", lint.effects[p].pairs);
    hone_script_lint_fini(&lint);
    return status;
}

// --- json ---

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

enum hone_status cli_lint_json(struct json_t *root, struct hone_workbench *bench,
                               struct hone_error *err)
{
    struct hone_script_lint lint;
    enum hone_status status = hone_script_lint(&lint, bench, err);
    const struct hone_space *space = bench->space;
    struct json_t *list = hone_json_array();
    for (size_t i = 0; i < lint.count; i++)
        hone_json_append(list, finding_json(space, &lint.findings[i]));
    for (size_t p = 0; p < hone_space_param_count(space) && lint.effects; p++)
        if (hone_changes_nothing(&lint.effects[p]))
            hone_json_append(list, changes_nothing_json(hone_space_param(space, p)->name,
                                                        lint.effects[p].pairs));
    hone_json_child(root, "lint", list);
    hone_script_lint_fini(&lint);
    return status;
}
