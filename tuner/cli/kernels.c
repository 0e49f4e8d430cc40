// hone kernels: the kernels that come with hone, which other commands take by name.
#include <stdio.h>

#include "args/script_args.h"
#include "cli.h"
#include "record/json_out.h"
#include "report/listings.h"
#include "terminal.h"

static void print_text(const struct hone_installed_kernels *kernels)
{
    cli_terminal_fold();
    struct hone_installed_kernel kernel;
    struct hone_columns table = {.sides = "ll"};
    printf("%s\n", kernels->folder);
    for (size_t i = 0; i < kernels->count; i++) {
        hone_installed_kernel_read(&kernel, kernels, i);
        HONE_COLUMNS_ADD_TEXTS(&table, kernel.name, kernel.about);
    }
    cli_print_columns(&table, stdout, "");
}

/* --- one of them --- */

static enum hone_status print_one(const struct hone_installed_kernels *kernels,
                                  const char *name, bool json, struct hone_error *err)
{
    struct hone_installed_kernel kernel;
    struct hone_workbench bench = {0};
    const struct hone_script_args args = {.device = "auto"};
    enum hone_status status = hone_installed_kernel_find(&kernel, kernels, name, err);
    if (status == HONE_OK)
        status = hone_script_args_workbench(&bench, kernel.path, &args, err);
    const size_t count = status == HONE_OK ? hone_space_param_count(bench.space) : 0;
    if (status == HONE_OK && json) {
        status = hone_json_print(hone_kernel_json(&kernel, count), stdout, err);
    } else if (status == HONE_OK) {
        cli_terminal_fold();
        printf("%s: %s\n  script      %s\n", kernel.name, kernel.about, kernel.path);
        printf("  parameters  %zu: hone space %s lists them\n", count, kernel.name);
        if (kernel.page[0]) printf("  page        %s\n", kernel.page);
    }
    hone_workbench_close(&bench);
    return status;
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct cli_json_command *a = args;
    struct hone_installed_kernels kernels = {0};
    enum hone_status status = hone_installed_kernels_open(&kernels, err);
    if (status == HONE_OK && a->words.count)
        status = print_one(&kernels, a->words.items[0], a->json, err);
    else if (status == HONE_OK && a->json)
        status = hone_json_print(hone_kernels_json(&kernels), stdout, err);
    else if (status == HONE_OK)
        print_text(&kernels);
    hone_installed_kernels_close(&kernels);
    return status;
}

const struct hone_command cli_kernels = {
    .name = "kernels",
    .summary = "List the kernels that come with hone",
    .usage = "[KERNEL] [--json]",
    .details = "Of one kernel: its script, how many parameters it has, and its page.\n"
               "hone tune, check, space and header take them by name: hone tune sgemm. "
               "Their folder is\nshare/hone/kernels beside the program's, or what "
               "HONE_KERNELS names.",
    .options = CLI_OPTIONS(cli_json_options),
    .args_size = sizeof(struct cli_json_command),
    .named_operand = true,
    .operands = {0, 1, ""},
    .run = run,
};
