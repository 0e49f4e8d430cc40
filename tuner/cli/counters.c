// hone counters: what a GPU's hardware can count, as CUPTI plans it without a GPU.
#include <stdio.h>

#include "cli.h"
#include "hone/device.h"
#include "record/json_out.h"
#include "report/counters.h"
#include "terminal.h"

struct counters_args {
    struct hone_words words;
    bool light, json;
};

static void print_plan(const struct hone_counter_plan *plan, const char *chip)
{
    struct hone_columns table = {.sides = "llll"};
    cli_terminal_fold();
    printf("%s: %zu counters in %zu passes, each a launch of the kernel\n", chip,
           plan->count, plan->passes);
    for (size_t i = 0; i < plan->count; i++) {
        const struct hone_counter *counter = plan->counters[i].counter;
        HONE_COLUMNS_ADD_TEXTS(&table, counter->group, counter->name, counter->unit,
                               counter->text);
    }
    cli_print_columns(&table, stdout, "  ");
}

static enum hone_status show_chip(const struct counters_args *a, const char *chip,
                                  struct hone_error *err)
{
    struct hone_counter_plan plan;
    enum hone_status status = hone_counter_plan_make(&plan, chip, a->light, err);
    if (status == HONE_OK && a->json)
        status = hone_json_print(hone_counter_plan_json(&plan, chip), stdout, err);
    else if (status == HONE_OK)
        print_plan(&plan, chip);
    hone_counter_plan_fini(&plan);
    return status;
}

static enum hone_status add_chip(struct hone_columns *table, const char *chip,
                                 struct hone_error *err)
{
    struct hone_counter_plan light = {0}, all = {0};
    enum hone_status status = hone_counter_plan_make(&light, chip, true, err);
    if (status == HONE_OK) status = hone_counter_plan_make(&all, chip, false, err);
    if (status == HONE_OK) {
        const size_t figures[] = {light.count, light.passes, all.count, all.passes};
        hone_columns_add(table, "%s", chip);
        for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
            hone_columns_add(table, "%zu", figures[i]);
    }
    hone_counter_plan_fini(&light);
    hone_counter_plan_fini(&all);
    return status;
}

// A line for each chip that is known; nothing where there is no CUPTI.
static enum hone_status list_chips(struct hone_error *err)
{
    struct hone_columns table = {.sides = "lrrrr"};
    struct hone_counter_plan first;
    enum hone_status status =
        hone_counter_plan_make(&first, hone_counter_chip(0), true, err);
    hone_counter_plan_fini(&first);
    if (status != HONE_OK) return status;
    HONE_COLUMNS_ADD_TEXTS(&table, "chip", "light", "passes", "all", "passes");
    for (size_t i = 0; status == HONE_OK && hone_counter_chip(i); i++)
        status = add_chip(&table, hone_counter_chip(i), err);
    cli_print_columns(&table, stdout, "");
    return status;
}

static enum hone_status run_counters(void *args, struct hone_error *err)
{
    const struct counters_args *a = args;
    char chip[32];
    if (!a->words.count && (a->json || a->light))
        return hone_fail(err, HONE_EUSAGE,
                         "--json and --light are of one chip: which? GH100, emu:h100");
    if (!a->words.count) return list_chips(err);
    const enum hone_status status =
        hone_counter_chip_find(chip, sizeof chip, a->words.items[0], err);
    return status == HONE_OK ? show_chip(a, chip, err) : status;
}

static const struct hone_option option_table[] = {
    {"light", 0, NULL, "the few that take few passes",
     HONE_FLAG(struct counters_args, light)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct counters_args, json)},
    {0},
};

const struct hone_command cli_counters = {
    .name = "counters",
    .summary = "List what the hardware of a GPU can count, and in how many passes",
    .usage = "[CHIP|DEVICE] [--light] [--json]",
    .details =
        "As CUPTI of CUDA 12.6 or later plans it, which needs neither GPU nor driver. "
        "Names are the\nsame on all chips, CUPTI's are in --json. 'hone tune --counters' "
        "reads them: docs/counters.md.",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct counters_args),
    .operands = {0, 1, ""},
    .run = run_counters,
};
