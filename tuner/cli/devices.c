// hone devices: what can be tuned on, and why the rest cannot.
#include <stdio.h>

#include "cli.h"
#include "hone/device.h"
#include "record/json_out.h"
#include "report/listings.h"
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
    HONE_COLUMNS_ADD_TEXTS(table, l->name, l->arch);
    hone_columns_add(table, "%lld SMs", (long long)l->sm_count);
    hone_columns_add(table, "%.1f GiB", (double)l->memory_bytes / (1 << 30));
    hone_columns_add(table, "%s", d->description);
}

static enum hone_status run_devices(void *args, struct hone_error *err)
{
    const struct cli_json_command *a = args;
    if (!a->json) {
        struct hone_columns table = {.sides = "lllrrl"};
        cli_terminal_fold();
        hone_device_list(add_row, &table);
        cli_print_columns(&table, stdout, "");
        return HONE_OK;
    }
    return hone_json_print(hone_devices_json(), stdout, err);
}

const struct hone_command cli_devices = {
    .name = "devices",
    .summary = "List the devices that kernels can be tuned on",
    .usage = "[--json]",
    .options = CLI_OPTIONS(cli_json_options),
    .args_size = sizeof(struct cli_json_command),
    .run = run_devices,
};
