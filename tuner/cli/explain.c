// hone explain: why a configuration is as fast as it is, in plain words.
#include <stdio.h>

#include "args/script_args.h"
#include "cli.h"
#include "print.h"
#include "record/json_out.h"
#include "terminal/interrupt.h"
#include "tuning/explain_run.h"

struct explain_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_build_args build;
    struct hone_texts config;
    const char *script_path;
    uint64_t neighbours;
    bool shapes, json;
};

static enum hone_status explain(const struct explain_args *a,
                                struct hone_explain_run *run, struct hone_error *err)
{
    const struct hone_explain_options options = {.path = a->words.items[0],
                                                 .config = a->config.items,
                                                 .config_count = a->config.count,
                                                 .script = a->script_path,
                                                 .neighbours = (size_t)a->neighbours};
    struct hone_explanation explanation = {0};
    struct hone_shapes shapes = {0};
    const struct hone_shapes *wanted = a->shapes ? &shapes : NULL;
    enum hone_status status = hone_explain_run_open(run, &options, err);
    if (status == HONE_OK)
        status =
            hone_explanation_make(&explanation, run->part, run->trial, run->again, err);
    if (status == HONE_OK && wanted)
        status = hone_explain_run_shapes(&shapes, run, explanation.subject.counted, err);
    if (status == HONE_OK && a->json)
        status =
            hone_json_print(hone_explanation_json(&explanation, wanted), stdout, err);
    else if (status == HONE_OK)
        cli_print_explanation(&explanation, wanted);
    hone_shapes_fini(&shapes);
    hone_explanation_fini(&explanation);
    return status;
}

static enum hone_status run_explain(void *args, struct hone_error *err)
{
    const struct explain_args *a = args;
    struct hone_explain_run run = {0};
    struct hone_script_input script;
    hone_interrupt_catch(cli_end_interrupted);
    enum hone_status status =
        hone_script_args_tuning(&run.tuning, &script, &a->script, &a->build, err);
    if (status == HONE_OK) status = explain(a, &run, err);
    hone_explain_run_close(&run);
    hone_script_input_fini(&script);
    return status;
}

static const struct hone_option option_table[] = {
    {"config", 0, "NAME=VALUE",
     "explain another one: changes the best, of a script the default; repeatable",
     HONE_TEXTS(struct explain_args, config)},
    {"script", 0, "SCRIPT",
     "of a journal without counts: its kernel is run on the emulator",
     HONE_FILE(struct explain_args, script_path)},
    {"shapes", 0, NULL, "nearby sizes of the problem that are faster",
     HONE_FLAG(struct explain_args, shapes)},
    {"neighbours", 0, "N", "how many neighbours of a script's configuration to run [16]",
     HONE_COUNT(struct explain_args, neighbours)},
    {"json", 0, NULL, "print JSON", HONE_FLAG(struct explain_args, json)},
    HONE_BUILD_OPTIONS(struct explain_args),
    {0},
};

const struct hone_command cli_explain = {
    .name = "explain",
    .summary = "Say in plain words why a configuration is as fast as it is",
    .usage = "JOURNAL|SCRIPT.lua|KERNEL [--config NAME=VALUE...] [--shapes] [--json]",
    .details =
        "What limits it, each part's share of its peak, the place on the roofline, "
        "causes that cost\ntime (docs/causes.md teaches each), what its neighbours show, "
        "and the default difference by\ndifference. Of a journal the best; of a script "
        "the default, on the emulator, whose counts\nand times are predictions. A "
        "journal without counts has them made where its kernel is\ninstalled or --script "
        "names it. Nothing is verified: hone check does that.",
    .options = CLI_OPTIONS(hone_options_of_script, option_table),
    .args_size = sizeof(struct explain_args),
    .defaults = &(const struct explain_args){.script.device = "emu", .neighbours = 16},
    .resolve = hone_kernel_name_resolve,
    .operands = {1, 1, "the journal or the script"},
    .run = run_explain,
};
