// hone header: the header that a build includes. Committed journals while they are true,
// else a tuning where it is asked for and there is a GPU, else the author's default: a
// build does not break on a machine that has neither GPU nor driver nor NVRTC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args/common_kinds.h"
#include "base/file.h"
#include "base/log.h"
#include "cli.h"
#include "output.h"
#include "print.h"
#include "record/output_path.h"
#include "report/written.h"
#include "terminal/interrupt.h"
#include "tune.h"
#include "tuning/bounded.h"
#include "tuning/build_tuning.h"
#include "tuning/default_header.h"

enum { DEFAULT_SECONDS = 120 };

struct build_args {
    struct hone_tune_args tune; // without a header and messages of its own
    const char *output, *results, *depfile;
    double budget; // seconds
    bool tunes, require_tuned, json, quiet;
};

struct header_run {
    const struct build_args *args;
    struct hone_script_input script;
    struct hone_kept_options kept;
    struct hone_kept_results results;
    struct hone_strbuf journal; // where a tuning is kept
    struct hone_written_header written;
};

/* --- a tuning that is over in time, and tells where a build's messages go --- */

static void print_lines(const char *text)
{
    while (*text) {
        const size_t len = strcspn(text, "\n");
        fprintf(stderr, "hone: %.*s\n", (int)len, text);
        text += len + (text[len] != '\0');
    }
}

// The summary in memory; where there is none of that, nowhere.
static enum hone_status run_tuning(const struct hone_tune_args *args,
                                   const struct hone_tuning_options *options, bool quiet,
                                   struct hone_error *err)
{
    char *text = NULL;
    size_t size;
    struct tune tune = {.args = args, .file = open_memstream(&text, &size)};
    tune.silent = !tune.file;
    enum hone_status status = tune_run(&tune, options, err);
    tune_close(&tune);
    if (tune.file && fclose(tune.file) == 0 && !quiet) print_lines(text);
    free(text);
    return status;
}

static enum hone_status tune_on(void *context, const char *device, double deadline,
                                struct hone_error *err)
{
    const struct header_run *run = context;
    struct hone_tune_args args = run->args->tune;
    struct hone_tune_input input;
    struct hone_alarm *alarm = NULL;
    args.script.device = device;
    args.tuning.journal = run->journal.data;
    enum hone_status status = hone_tune_input_make(&input, &args, err);
    if (status == HONE_OK)
        status = hone_tuning_bound(&alarm, &input.options, deadline, err);
    if (status == HONE_OK)
        status = run_tuning(&args, &input.options, run->args->quiet, err);
    hone_alarm_free(alarm);
    hone_tune_input_fini(&input);
    return status;
}

static enum hone_status tune_for_build(struct header_run *run, struct hone_error *err)
{
    const struct build_args *args = run->args;
    const struct hone_build_tuning build = {.kept = &run->kept,
                                            .device = args->tune.script.device,
                                            .journal = run->journal.data,
                                            .seconds = args->budget,
                                            .many = args->tune.tuning.problems != NULL,
                                            .required = args->require_tuned,
                                            .tune = tune_on,
                                            .context = run,
                                            .cancel = hone_interrupt_flag()};
    return hone_build_tuning_run(&run->results, &build, err);
}

/* --- the header --- */

static enum hone_status write_header(struct header_run *run, struct hone_error *err)
{
    const struct build_args *args = run->args;
    const struct hone_kept_results *results = &run->results;
    const struct hone_header_options options = {
        .recordings = (const struct hone_recording *const *)results->items,
        .count = results->count,
        .payload.script = args->tune.words.items[0],
        .device = args->tune.script.device};
    if (!results->count && args->require_tuned && !results->refused_count)
        return hone_fail(err, HONE_EINPUT, "%s is not tuned: there is no journal of it",
                         args->tune.words.items[0]);
    if (!results->count && args->require_tuned)
        return hone_fail(err, HONE_EINPUT, "%s is not tuned: %zu journal%s refused",
                         args->tune.words.items[0], results->refused_count,
                         results->refused_count == 1 ? " was" : "s were");
    return hone_header_args_write(&run->written, args->output, &args->tune.header,
                                  &args->tune.script, &options, cli_output_write, err);
}

static void say(const struct build_args *args, const struct hone_kept_results *results)
{
    const bool beside = hone_path_is_stdout(args->output);
    if (args->quiet || args->json) return;
    FILE *out = beside ? stderr : stdout;
    fprintf(out, "%s: ", beside ? "the header" : args->output);
    if (!results->count) fprintf(out, "the author's default, not tuned\n");
    for (size_t i = 0; i < results->count; i++)
        fprintf(out, "%s%s%s", i ? ", " : "from ", hone_recording_path(results->items[i]),
                i + 1 == results->count ? "\n" : "");
}

static enum hone_status check_header_args(const struct build_args *args,
                                          struct hone_error *err)
{
    if (args->depfile && hone_path_is_stdout(args->output))
        return hone_fail(err, HONE_EUSAGE, "--depfile needs -o FILE");
    const enum hone_status status =
        hone_header_args_check(args->output, &args->tune.header, args->json, err);
    if (status != HONE_OK || !args->depfile) return status;
    return hone_output_check(args->depfile, err);
}

static enum hone_status make(struct header_run *run, struct hone_error *err)
{
    const struct build_args *a = run->args;
    struct hone_strbuf rule = HONE_STRBUF_INIT;
    if (a->results && !hone_file_exists(a->results))
        hone_log(HONE_LOG_WARNING, "there is no folder '%s' of results", a->results);
    enum hone_status status = hone_kept_results_add(&run->results, &run->kept, a->results,
                                                    run->journal.data, err);
    if (status == HONE_OK && a->tunes) status = tune_for_build(run, err);
    if (status == HONE_OK) {
        hone_kept_results_warn(&run->results);
        status = write_header(run, err);
    }
    if (status == HONE_OK) say(a, &run->results);
    if (status == HONE_OK && run->results.count && !a->quiet && !a->json)
        cli_print_coverage_beside(a->output, &run->written.coverage);
    if (status == HONE_OK && a->depfile)
        status = cli_output_write(
            a->depfile, &rule,
            hone_header_depfile(&rule, a->output, a->tune.words.items[0],
                                &run->script.options, a->tune.script.device, err),
            err);
    if (status == HONE_OK && a->json)
        status = cli_print_json(hone_built_json(a->output, run->written.second,
                                                &run->results, &run->written.coverage),
                                err);
    return status;
}

static enum hone_status run_header(void *args, struct hone_error *err)
{
    const struct build_args *a = args;
    struct header_run run = {
        .args = a,
        .kept = {.script = a->tune.words.items[0],
                 .accept_predicted = a->tune.header.accept_predicted},
        .results = {.refused = HONE_STRBUF_INIT},
        .journal = HONE_STRBUF_INIT};
    enum hone_status status = check_header_args(a, err);
    if (a->tune.tuning.journal)
        hone_strbuf_add(&run.journal, a->tune.tuning.journal);
    else
        hone_strbuf_printf(&run.journal, "%s.jsonl", a->output);
    if (status == HONE_OK)
        status = hone_script_input_make(&run.script, &a->tune.script, err);
    run.kept.script_options = &run.script.options;
    if (status == HONE_OK) status = make(&run, err);
    hone_written_header_fini(&run.written);
    hone_kept_results_fini(&run.results);
    hone_script_input_fini(&run.script);
    hone_strbuf_fini(&run.journal);
    return status;
}

static const struct hone_option option_table[] = {
    {"output", 'o', "FILE", "the header; '-' for standard output [-]",
     HONE_OUTPUT(struct build_args, output)},
    {"results", 0, "FOLDER", "journals that are kept with the sources", &hone_kind_folder,
     offsetof(struct build_args, results)},
    {"tune", 0, NULL, "tune where no journal is of the GPU that is there",
     HONE_FLAG(struct build_args, tunes)},
    {"budget", 'b', "TIME", "wall time that tuning may take in all [120s]",
     HONE_TIME(struct build_args, budget)},
    {"journal", 0, "FILE", "where a tuning is kept, and found again [HEADER.jsonl]",
     HONE_FILE(struct build_args, tune.tuning.journal)},
    {"strategy", 's', "NAME", "how to search [portfolio]", &hone_kind_strategy,
     offsetof(struct build_args, tune.tuning.strategy)},
    {"problems", 0, "FILE", "tune these together, as hone tune does",
     HONE_FILE(struct build_args, tune.tuning.problems)},
    {"require-tuned", 0, NULL, "fail rather than fall back to the author's default",
     HONE_FLAG(struct build_args, require_tuned)},
    {"depfile", 0, "FILE", "write there what the header depends on, for make and ninja",
     HONE_OUTPUT(struct build_args, depfile)},
    {"quiet", 'q', NULL, "say nothing but warnings", HONE_FLAG(struct build_args, quiet)},
    {"json", 0, NULL, "print what was done as JSON; needs -o FILE",
     HONE_FLAG(struct build_args, json)},
    {0},
};

const struct hone_command cli_header = {
    .name = "header",
    .summary = "Write the header that a build includes, tuned or not",
    .usage = "SCRIPT -o HEADER [--results FOLDER] [--tune --budget TIME]",
    .details =
        "Journals count while kernel, template and space are what they were recorded "
        "with, and\nhone's minor version. With --tune, and a GPU that none of them is "
        "of, a tuning of at most\n--budget follows. Without any result the header holds "
        "the author's default and says so;\nthat needs neither GPU nor driver nor NVRTC. "
        "docs/cmake.md has the CMake module.",
    .options = CLI_OPTIONS(hone_options_of_script, hone_options_of_header, option_table),
    .args_size = sizeof(struct build_args),
    .defaults = &(const struct build_args){.tune = {HONE_TUNE_DEFAULTS, .quiet = true},
                                           .output = "-",
                                           .budget = DEFAULT_SECONDS},
    .named_operand = true,
    .resolve = hone_kernel_name_resolve,
    .operands = {1, 1, "the script"},
    .run = run_header,
};
