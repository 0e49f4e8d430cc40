// hone diff: two configurations beside each other.
#include <math.h>
#include <stdio.h>

#include "args/script_args.h"
#include "base/quantity.h"
#include "cli.h"
#include "record/json_out.h"
#include "report/contrast.h"
#include "terminal.h"

struct diff_args {
    struct hone_words words;
    struct hone_texts config[2];
    struct hone_texts set;
    const char *device, *script;
    struct hone_build_args build;
    bool sass, all, json;
};

static void print_side(const struct hone_contrast *c, int side)
{
    printf("%c: %s on %s%s%s: %s us (%s)\n", 'a' + side, c->kernel[side],
           hone_device_text(c->device[side]), c->problem[side] ? ", problem " : "",
           c->problem[side] ? c->problem[side] : "", hone_plain(c->us[side], 5).text,
           c->predicted[side] ? "predicted" : "measured");
}

// How much more that is; nothing where six digits show them to be the same.
static double percent(double ratio)
{
    const double change = 100 * (ratio - 1);
    return fabs(change) < 5e-4 ? 0 : change;
}

// A prediction and a measurement are not held against each other.
static void print_ratio(const struct hone_contrast *c)
{
    if (c->predicted[0] != c->predicted[1])
        printf("times: one is predicted, one measured: they are not compared\n");
    else if (c->us[0] > 0 && c->us[1] > 0)
        printf("times: b takes %.4g times as long as a (%+.3g %%)\n", c->us[1] / c->us[0],
               percent(c->us[1] / c->us[0]));
}

static void print_parameters(const struct hone_contrast *c, bool all)
{
    struct hone_columns table = {.sides = "lll"};
    size_t same = 0, differ = 0;
    for (size_t i = 0; i < c->parameter_count; i++)
        *(hone_contrast_differs(&c->parameters[i]) ? &differ : &same) += 1;
    printf("parameters: %zu differ, %zu are the same\n", differ, same);
    for (size_t i = 0; i < c->parameter_count; i++) {
        const struct hone_contrast_row *row = &c->parameters[i];
        if (!all && !hone_contrast_differs(row)) continue;
        hone_columns_add(&table, "%s", row->name);
        for (int side = 0; side < 2; side++)
            hone_columns_add(&table, "%s", row->texts[side] ? row->texts[side] : "-");
    }
    cli_print_columns(&table, stdout, "  ");
}

static void print_figures(const struct hone_contrast *c, bool all)
{
    struct hone_columns table = {.sides = "lrrrl"};
    size_t shown = 0;
    for (size_t i = 0; i < c->figure_count; i++) {
        const struct hone_contrast_row *row = &c->figures[i];
        const char *unit = hone_figure_unit(row);
        const double change = percent(row->numbers[1] / row->numbers[0]);
        if (!all && !hone_contrast_differs(row)) continue;
        if (!shown++)
            HONE_COLUMNS_ADD_TEXTS(&table, "figures", "a", "b", "change", "unit");
        hone_columns_add(&table, "%s", row->name);
        hone_columns_add_number(&table, row->numbers[0], 6);
        hone_columns_add_number(&table, row->numbers[1], 6);
        if (isfinite(change))
            hone_columns_add(&table, "%+.3g %%", change);
        else
            hone_columns_add(&table, "-");
        hone_columns_add(&table, "%s", unit ? unit : "(unit not known)");
    }
    if (!shown)
        printf("figures: %s\n",
               c->figure_count ? "all are the same" : "neither file tells any");
    cli_print_columns(&table, stdout, "");
}

static void print_contrast(const struct hone_contrast *c, bool all)
{
    cli_terminal_fold();
    print_side(c, 0);
    print_side(c, 1);
    print_ratio(c);
    print_parameters(c, all);
    print_figures(c, all);
}

// One journal alone: its default against its best.
static struct hone_contrast_options make_contrast(const struct diff_args *a)
{
    const size_t last = a->words.count - 1;
    struct hone_contrast_options options = {
        .set = a->set.items, .set_count = a->set.count, .device = a->device};
    for (size_t side = 0; side < 2; side++)
        options.sides[side] =
            (struct hone_contrast_side){.path = a->words.items[side < last ? side : last],
                                        .config = a->config[side].items,
                                        .config_count = a->config[side].count};
    options.sides[0].is_default = !last && !a->config[0].count;
    return options;
}

static enum hone_status run_diff(void *args, struct hone_error *err)
{
    const struct diff_args *a = args;
    struct hone_contrast contrast = {0};
    struct hone_contrast_options options = make_contrast(a);
    const struct hone_tuning_options tuning = {
        .script = a->script, .builder = hone_build_args_builder(&a->build)};
    if (a->sass) options.sass = &tuning;
    if (a->script && !a->sass)
        return hone_fail(err, HONE_EUSAGE, "--script is for --sass");
    enum hone_status status = hone_contrast_make(&contrast, &options, err);
    if (status == HONE_OK && a->json)
        status = hone_json_print(hone_contrast_json(&contrast), stdout, err);
    else if (status == HONE_OK)
        print_contrast(&contrast, a->all);
    hone_contrast_fini(&contrast);
    return status;
}

static const struct hone_option option_table[] = {
    {"a", 0, "NAME=VALUE", "another configuration of A: changes its best; repeatable",
     HONE_TEXTS(struct diff_args, config[0])},
    {"b", 0, "NAME=VALUE", "the same of B", HONE_TEXTS(struct diff_args, config[1])},
    {"set", 0, "NAME=VALUE", "a size of the problem, where a file has several",
     HONE_TEXTS(struct diff_args, set)},
    {"device", 'd', "TEXT", "a part of the device's name, where a header has several",
     HONE_TEXT(struct diff_args, device)},
    {"sass", 0, NULL, "build both, and count instructions of the machine by class",
     HONE_FLAG(struct diff_args, sass)},
    {"script", 0, "SCRIPT", "of --sass: the kernel's, where it is not installed",
     HONE_FILE(struct diff_args, script)},
    HONE_BUILD_OPTIONS(struct diff_args),
    {"all", 0, NULL, "what is the same, too", HONE_FLAG(struct diff_args, all)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct diff_args, json)},
    {0},
};

const struct hone_command cli_diff = {
    .name = "diff",
    .summary = "Print two configurations beside each other",
    .usage = "JOURNAL|HEADER [JOURNAL|HEADER] [--a NAME=VALUE...] [--b NAME=VALUE...]",
    .details =
        "Of a journal its best, of one journal alone the default and the best. "
        "Parameters, time,\nregisters, spills, shared memory, and, of emulated ones, "
        "instructions by class and what the\nmodel makes of them. Predicted and measured "
        "times are not compared. docs/explain.md",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct diff_args),
    .operands = {1, 2, "the journal or header"},
    .run = run_diff,
};
