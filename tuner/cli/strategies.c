// hone strategies: the search strategies by name.
#include <stdio.h>

#include "color.h"
#include "commands.h"
#include "hone/search.h"
#include "record/json_out.h"

static void add_settings(struct json_t *object, const struct hone_strategy_fns *fns)
{
    struct json_t *list = hone_json_array();
    for (const struct hone_setting *s = fns->settings; s && s->name; s++) {
        struct json_t *setting = hone_json_object();
        hone_json_text(setting, "name", s->name);
        hone_json_text(setting, "help", s->help);
        hone_json_number(setting, "least", s->least);
        hone_json_number(setting, "most", s->most);
        hone_json_number(setting, "default", s->fallback);
        hone_json_bool(setting, "whole", s->whole);
        hone_json_append(list, setting);
    }
    hone_json_child(object, "settings", list);
}

static enum hone_status print_strategies_json(struct hone_error *err)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    for (const struct hone_strategy_fns *const *s = hone_strategies; *s; s++) {
        struct json_t *object = hone_json_object();
        hone_json_text(object, "strategy", (*s)->name);
        hone_json_text(object, "description", (*s)->description);
        add_settings(object, *s);
        hone_json_append(list, object);
    }
    hone_json_child(root, "strategies", list);
    return hone_json_print(root, stdout, err);
}

static void add_rows(struct hone_columns *table, const struct hone_strategy_fns *fns)
{
    hone_columns_add(table, "%s", fns->name);
    hone_columns_add(table, "%s", fns->description);
    for (const struct hone_setting *s = fns->settings; s && s->name; s++)
        hone_columns_add_rest(table, "  :%s=%g  %s, %g to %g", s->name, s->fallback,
                              s->help, s->least, s->most);
}

static enum hone_status run_strategies(void *args, struct hone_error *err)
{
    const struct cli_json_command *a = args;
    enum hone_status status = hone_words_expect(&a->words, 0, 0, "", err);
    if (status != HONE_OK) return status;
    if (a->json) return print_strategies_json(err);
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
