// hone strategies: the search strategies by name.
#include <stdio.h>

#include "cli.h"
#include "hone/search.h"
#include "record/json_out.h"
#include "report/listings.h"
#include "terminal.h"

static void add_rows(struct hone_columns *table, const struct hone_strategy_fns *fns)
{
    HONE_COLUMNS_ADD_TEXTS(table, fns->name, fns->description);
    for (const struct hone_setting *s = fns->settings; s && s->name; s++)
        hone_columns_add_rest(table, "  :%s=%g  %s, %g to %g", s->name, s->fallback,
                              s->help, s->least, s->most);
}

static enum hone_status run_strategies(void *args, struct hone_error *err)
{
    const struct cli_json_command *a = args;
    if (a->json) return hone_json_print(hone_strategies_json(), stdout, err);
    struct hone_columns table = {.sides = "ll"};
    for (const struct hone_strategy_fns *const *s = hone_strategies; *s; s++)
        add_rows(&table, *s);
    cli_print_columns(&table, stdout, "");
    return HONE_OK;
}

const struct hone_command cli_strategies = {
    .name = "strategies",
    .summary = "List the search strategies",
    .usage = "[--json]",
    .options = CLI_OPTIONS(cli_json_options),
    .args_size = sizeof(struct cli_json_command),
    .run = run_strategies,
};
