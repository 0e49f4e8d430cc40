// hone space --lint: what looks unintended in a script.
#include "space_lint.h"

#include <stdio.h>

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

void cli_lint_print(const struct hone_script_lint *lint,
                    const struct hone_workbench *bench)
{
    const size_t params = hone_space_param_count(bench->space);
    size_t idle = 0;
    for (size_t p = 0; p < params && lint->effects; p++)
        idle += hone_changes_nothing(&lint->effects[p]);
    const size_t all = lint->count + idle;
    printf("\nlint: %zu finding%s\n", all, all == 1 ? "" : "s");
    for (size_t i = 0; i < lint->count; i++)
        print_finding(bench->space, &lint->findings[i]);
    for (size_t p = 0; p < params && lint->effects; p++)
        if (hone_changes_nothing(&lint->effects[p]))
            printf("  parameter '%s' changes nothing: the same %s and launch in %zu "
                   "pairs of configurations\n",
                   hone_space_param(bench->space, p)->name,
                   bench->builder ? "machine code" : "source", lint->effects[p].pairs);
}
