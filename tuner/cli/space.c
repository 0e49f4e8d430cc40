// hone space: what a script's space holds, and what each constraint takes away.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "args/script_args.h"
#include "cli.h"
#include "output.h"
#include "print.h"
#include "record/json_out.h"
#include "report/space.h"
#include "terminal.h"

struct space_args {
    struct hone_words words;
    struct hone_script_args script;
    uint64_t sample;
    uint64_t seed;
    bool json;
    bool lint;
};

static void print_params(const struct hone_space *space)
{
    struct hone_columns table = {.sides = "ll"};
    struct hone_strbuf values = HONE_STRBUF_INIT;
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        hone_strbuf_clear(&values);
        for (size_t v = 0; v < param->count; v++)
            hone_strbuf_printf(&values, "%s%s", v ? " " : "",
                               hone_value_text(param->values[v]).text);
        HONE_COLUMNS_ADD_TEXTS(&table, param->name, values.data);
    }
    hone_strbuf_fini(&values);
    cli_print_columns(&table, stdout, "  ");
}

static void print_constraints(const struct hone_space *space)
{
    const size_t n = hone_space_constraint_count(space);
    struct hone_constraint_info info;
    if (n)
        printf("\nconstraints (configurations removed as the first to reject; removed "
               "alone)\n");
    for (size_t i = 0; i < n; i++) {
        hone_space_constraint_info(space, i, &info);
        printf("  %15s %15s  %s\n",
               isnan(info.removed) ? "unknown" : hone_count_text(info.removed).text,
               isnan(info.alone) ? "unknown" : hone_count_text(info.alone).text,
               info.text);
        if (info.failed)
            printf("  %33sfailed %llu times, counted as false; first: %s\n", "",
                   (unsigned long long)info.failed, info.first_failure);
        if (info.overflow)
            printf("  %33sinteger overflow in %llu evaluations, wrapped as in Lua\n", "",
                   (unsigned long long)info.overflow);
    }
}

static void print_space_text(const struct hone_workbench *bench, const uint64_t *sample,
                             size_t count)
{
    const struct hone_space *space = bench->space;
    printf("%s: %s combinations, ", hone_script_def(bench->script)->source,
           hone_count_text(hone_space_cartesian(space)).text);
    if (hone_space_is_sampled(space)) {
        double error;
        const double estimate = hone_space_valid(space, &error);
        printf("about %.3g valid (+- %.1g), ", estimate, error);
    }
    printf("%s %s (limits of %s)\n\nparameters\n",
           hone_count_text((double)hone_space_count(space)).text,
           hone_space_is_sampled(space) ? "sampled" : "valid", bench->limits.name);
    print_params(space);
    print_constraints(space);
    if (count) printf("\nsample of %zu\n", count);
    for (size_t i = 0; i < count; i++) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        hone_config_text(&text, space, sample[i]);
        printf("  %s\n", text.data);
        hone_strbuf_fini(&text);
    }
}

static void print_finding(const struct hone_space *space, const struct hone_lint *finding)
{
    struct hone_constraint_info info = {0}, other = {0};
    const struct hone_param *param = hone_space_param(space, finding->param);
    switch (finding->kind) {
    case HONE_LINT_REMOVES_NOTHING:
        hone_space_constraint_info(space, finding->constraint, &info);
        printf("  line %d: constraint '%s' removes nothing\n", info.line, info.text);
        break;
    case HONE_LINT_VALUE_UNUSED:
        printf("  no valid configuration has %s = %s\n", param->name,
               hone_value_text(param->values[finding->value]).text);
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

static void print_lint(const struct hone_script_lint *lint,
                       const struct hone_workbench *bench)
{
    const size_t params = hone_space_param_count(bench->space);
    const size_t all = hone_script_lint_count(lint, bench->space);
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

static enum hone_status tell_space(struct hone_workbench *bench,
                                   const struct space_args *args, const uint64_t *sample,
                                   size_t count, struct hone_error *err)
{
    if (!args->json) cli_terminal_fold();
    struct hone_script_lint lint = {0};
    struct json_t *root = args->json ? hone_space_json(bench, sample, count) : NULL;
    if (!args->json) print_space_text(bench, sample, count);
    enum hone_status status = args->lint ? hone_script_lint(&lint, bench, err) : HONE_OK;
    if (args->json && args->lint)
        hone_json_child(root, "lint", hone_script_lint_json(&lint, bench->space));
    else if (args->lint && status == HONE_OK)
        print_lint(&lint, bench);
    hone_script_lint_fini(&lint);
    if (!args->json) return status;
    const enum hone_status printed = cli_print_json(root, err);
    return status == HONE_OK ? printed : status;
}

static enum hone_status run_space(void *args, struct hone_error *err)
{
    const struct space_args *a = args;
    struct hone_workbench bench = {0};
    uint64_t *sample = NULL;
    size_t count = 0;
    enum hone_status status =
        hone_script_args_workbench(&bench, a->words.items[0], &a->script, err);
    if (status == HONE_OK)
        status = hone_workbench_draw(&sample, &count, &bench, a->sample, a->seed, err);
    if (status == HONE_OK) status = tell_space(&bench, a, sample, count, err);
    free(sample);
    hone_workbench_close(&bench);
    return status;
}

static const struct hone_option option_table[] = {
    {"sample", 0, "N", "also print N configurations drawn at random",
     HONE_COUNT(struct space_args, sample)},
    {"seed", 0, "N", "of the sample [1]", HONE_COUNT(struct space_args, seed)},
    {"lint", 0, NULL, "also say what looks unintended in the definition",
     HONE_FLAG(struct space_args, lint)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct space_args, json)},
    {0},
};

const struct hone_command cli_space = {
    .name = "space",
    .summary = "Count a script's configurations and what each constraint removes",
    .usage = "SCRIPT [--sample N] [--lint] [--json]",
    .options = CLI_OPTIONS(hone_options_of_script, option_table),
    .args_size = sizeof(struct space_args),
    .defaults = &(const struct space_args){.script.device = "auto", .seed = 1},
    .named_operand = true,
    .resolve = hone_kernel_name_resolve,
    .operands = {1, 1, "the script"},
    .run = run_space,
};
