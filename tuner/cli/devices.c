// hone devices: what can be tuned on, and why the rest cannot.
#include <stdio.h>

#include "color.h"
#include "commands.h"
#include "hone/device.h"
#include "record/json_out.h"
#include "terminal.h"

static void add_row(void *context, const struct hone_device_listing *d)
{
    struct hone_columns *table = context;
    hone_columns_add(table, "%s", d->id);
    if (!d->available) {
        hone_columns_add_rest(table, "not available: %s", d->why_not);
        return;
    }
    const struct hone_limits *l = d->limits;
    hone_columns_add(table, "%s", l->name);
    hone_columns_add(table, "%s", l->arch);
    hone_columns_add(table, "%lld SMs", (long long)l->sm_count);
    hone_columns_add(table, "%.1f GiB", (double)l->memory_bytes / (1 << 30));
    hone_columns_add(table, "%s", d->description);
}

static struct json_t *limits_json(const struct hone_limits *limits)
{
    struct json_t *object = hone_json_object();
    for (size_t i = 0; hone_limits_name(i); i++) {
        int64_t value = 0;
        hone_limits_get(limits, hone_limits_name(i), &value);
        hone_json_integer(object, hone_limits_name(i), value);
    }
    return object;
}

static void add_json(void *context, const struct hone_device_listing *d)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "device", d->id);
    hone_json_text(object, "description", d->description);
    hone_json_bool(object, "available", d->available);
    if (d->available) {
        hone_json_text(object, "name", d->limits->name);
        hone_json_text(object, "arch", d->limits->arch);
        hone_json_child(object, "limits", limits_json(d->limits));
    } else {
        hone_json_text(object, "why_not", d->why_not);
    }
    hone_json_append(context, object);
}

static enum hone_status run_devices(void *args, struct hone_error *err)
{
    const struct cli_json_command *a = args;
    enum hone_status status = hone_words_expect(&a->words, 0, 0, "", err);
    if (status != HONE_OK) return status;
    if (!a->json) {
        struct hone_columns table = {.sides = "lllrrl"};
        cli_terminal_fold();
        hone_device_list(add_row, &table);
        cli_print_columns(&table, stdout, "");
        return HONE_OK;
    }
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_device_list(add_json, list);
    hone_json_child(root, "devices", list);
    return hone_json_print(root, stdout, err);
}

const struct hone_command cli_devices = {
    .name = "devices",
    .summary = "List the devices that kernels can be tuned on",
    .usage = "[--json]",
    .options = CLI_OPTIONS(cli_json_options),
    .args_size = sizeof(struct cli_json_command),
    .run = run_devices,
};
