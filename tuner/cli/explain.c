// hone explain: why a configuration is as fast as it is, in plain words.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/script_args.h"
#include "base/log.h"
#include "cli.h"
#include "explain.h"
#include "record/json_out.h"
#include "terminal/interrupt.h"
#include "tuning/installed_kernels.h"
#include "tuning/parts.h"
#include "tuning/probe.h"

struct explain_args {
    struct hone_words words;
    struct hone_script_args script;
    struct hone_build_args build;
    struct hone_texts config;
    const char *script_path;
    uint64_t neighbours;
    bool shapes, json;
};

/* What is explained, and where its figures are from. */
struct explaining {
    const struct explain_args *args;
    struct hone_tuning_options options; /* of runs on the emulator */
    struct hone_script_input script;
    struct hone_recording *whole;         /* a journal, or the runs of a script */
    const struct hone_recording *part;    /* of one problem */
    struct hone_recording *again;         /* trials of the journal on the emulator */
    const struct hone_trial *trial;       /* of part */
    struct hone_installed_kernel install; /* whose path options may borrow */
};

/* --- what is explained --- */

static bool is_script(const char *path)
{
    const size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".lua") == 0;
}

static enum hone_status run_script(struct explaining *x, struct hone_error *err)
{
    const struct explain_args *a = x->args;
    const struct hone_around around = {.tuning = &x->options,
                                       .config = a->config.items,
                                       .config_count = a->config.count,
                                       .neighbours = (size_t)a->neighbours};
    x->options.script = a->words.items[0];
    if (a->script_path)
        return hone_fail(err, HONE_EUSAGE, "--script goes with a journal: '%s' is one",
                         x->options.script);
    if (!hone_device_is_emulated(x->options.device))
        return hone_fail(err, HONE_EUSAGE,
                         "a script is explained on an emulated device, like emu:a100: a "
                         "journal of %s can be explained too",
                         x->options.device);
    const enum hone_status status = hone_around_run(&x->whole, &x->trial, &around, err);
    x->part = x->whole;
    return status;
}

// The script of --script, else the installed one of the journal's kernel.
static bool find_script(struct explaining *x)
{
    struct hone_installed_kernels kernels;
    struct hone_error none = {0};
    const char *kernel = hone_recording_info(x->part)->kernel;
    x->options.script = x->args->script_path;
    if (x->options.script) return true;
    if (hone_installed_kernels_open(&kernels, &none) == HONE_OK &&
        hone_installed_kernel_find(&x->install, &kernels, kernel, &none) == HONE_OK)
        x->options.script = x->install.path;
    hone_installed_kernels_close(&kernels);
    return x->options.script != NULL;
}

// Counts for a journal that has none: its best and its default, run once more.
static enum hone_status run_again(struct explaining *x, struct hone_error *err)
{
    struct hone_machine machine;
    const struct hone_record_info *info = hone_recording_info(x->part);
    const struct hone_trial *trials[2] = {x->trial, NULL};
    const bool forced = x->args->script_path != NULL;
    char device[64];
    uint64_t index;
    bool changed;
    const bool known = hone_machine_of(&machine, info) && machine.gpu;
    if (!known && forced)
        return hone_fail(err, HONE_EUSAGE, "--script: '%s' is of no GPU that is emulated",
                         hone_recording_path(x->part));
    if (!known || !find_script(x)) return HONE_OK;
    if (info->defaults && hone_space_index(hone_recording_space(x->part), info->defaults,
                                           &index) == HONE_OK)
        trials[1] = hone_recording_find(x->part, index);
    snprintf(device, sizeof device, "emu:%s", machine.gpu);
    x->options.device = device;
    const enum hone_status status =
        hone_again_run(&x->again, &changed, x->part, trials, trials[1] ? 2 : 1,
                       &x->options, forced, err);
    if (status == HONE_OK && changed && forced)
        hone_log(HONE_LOG_WARNING,
                 "the template is not the journal's: counts are of the one that '%s' has",
                 x->options.script);
    x->options.device = x->args->script.device;
    return status;
}

static enum hone_status load_journal(struct explaining *x, struct hone_error *err)
{
    const struct explain_args *a = x->args;
    enum hone_status status =
        hone_recording_load_noted(&x->whole, a->words.items[0], err);
    if (status == HONE_OK)
        status = hone_part_of_texts(&x->part, x->whole, a->script.set.items,
                                    a->script.set.count, err);
    if (status == HONE_OK)
        status =
            hone_chosen_trial(&x->trial, x->part, a->config.items, a->config.count, err);
    if (status == HONE_OK &&
        (a->script_path ||
         isnan(hone_trial_metric(x->trial, "grid_blocks", (double)NAN))))
        status = run_again(x, err);
    return status;
}

// On the GPU that the counts are of, which the journal of a GPU names otherwise.
static enum hone_status find_shapes(struct hone_shapes *out, struct explaining *x,
                                    const struct hone_trial *counted,
                                    struct hone_error *err)
{
    const struct hone_recording *there = x->again ? x->again : x->part;
    if (!x->options.script || !counted)
        return hone_fail(err, HONE_EUSAGE,
                         "--shapes runs the kernel at other sizes: it wants a script, or "
                         "--script beside a journal");
    x->options.device = hone_recording_info(there)->device_id;
    return hone_shapes_run(out, there, counted, &x->options, err);
}

static enum hone_status explain(struct explaining *x, struct hone_error *err)
{
    struct hone_explanation explanation = {0};
    struct hone_shapes shapes = {0};
    enum hone_status status =
        is_script(x->args->words.items[0]) ? run_script(x, err) : load_journal(x, err);
    if (status == HONE_OK)
        status = hone_explanation_make(&explanation, x->part, x->trial, x->again, err);
    if (status == HONE_OK && x->args->shapes)
        status = find_shapes(&shapes, x, explanation.subject.counted, err);
    const struct hone_shapes *wanted = x->args->shapes ? &shapes : NULL;
    if (status == HONE_OK && x->args->json)
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
    struct explaining x = {.args = a};
    hone_interrupt_catch(cli_end_interrupted);
    enum hone_status status =
        hone_script_args_tuning(&x.options, &x.script, &a->script, &a->build, err);
    if (status == HONE_OK) status = explain(&x, err);
    hone_recording_free(x.again);
    hone_recording_free(x.whole);
    hone_script_input_fini(&x.script);
    return status;
}

static const struct hone_option option_table[] = {
    {"config", 0, "NAME=VALUE",
     "explain another one: changes the best, of a script the default; repeatable",
     &hone_kind_texts, offsetof(struct explain_args, config)},
    {"script", 0, "SCRIPT",
     "of a journal without counts: its kernel is run on the emulator", &hone_kind_file,
     offsetof(struct explain_args, script_path)},
    {"shapes", 0, NULL, "nearby sizes of the problem that are faster", &hone_kind_flag,
     offsetof(struct explain_args, shapes)},
    {"neighbours", 0, "N", "how many neighbours of a script's configuration to run [16]",
     &hone_kind_count, offsetof(struct explain_args, neighbours)},
    {"json", 0, NULL, "print JSON", &hone_kind_flag, offsetof(struct explain_args, json)},
    HONE_BUILD_OPTIONS(struct explain_args),
    {0},
};

const struct hone_command cli_explain = {
    .name = "explain",
    .summary = "Say in plain words why a configuration is as fast as it is",
    .usage = "JOURNAL|SCRIPT.lua|KERNEL [--config NAME=VALUE...] [--shapes] [--json]",
    .details =
        "What limits it, each part's share of its peak, the place on the roofline, "
        "causes "
        "that cost\ntime (docs/causes.md teaches each), what its neighbours show, and "
        "the "
        "default difference by\ndifference. Of a journal the best; of a script the "
        "default, on the emulator, whose counts\nand times are predictions. A journal "
        "without counts has them made where its kernel is\ninstalled or --script names "
        "it. Nothing is verified: hone check does that.",
    .options = CLI_OPTIONS(hone_options_of_script, option_table),
    .args_size = sizeof(struct explain_args),
    .defaults = &(const struct explain_args){.script.device = "emu", .neighbours = 16},
    .resolve = hone_kernel_name_resolve,
    .operands = {1, 1, "the journal or the script"},
    .run = run_explain,
};
