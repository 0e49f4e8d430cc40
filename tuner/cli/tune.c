// hone tune: search the best configuration of a script on a device, or of a recording.
#include <stdio.h>

#include "base/log.h"
#include "base/quantity.h"
#include "cli.h"
#include "hone/strbuf.h"
#include "output.h"
#include "progress.h"
#include "record/output_path.h"
#include "report/tuning.h"
#include "terminal/interrupt.h"
#include "tune.h"
#include "tuning/result_facts.h"

/* --- while it runs --- */

/* More than a pool's patience with commands that end. */
static const double workers_end_s = 25;

static bool on_progress(void *context, const struct hone_progress *progress)
{
    const struct tune *tune = context;
    if (tune->args->quiet) return true;
    cli_progress_tune(progress, hone_tuning_space(tune->tuning),
                      hone_tuning_facts(tune->tuning).workers.waiting);
    return true;
}

static void announce(const struct tune *tune, const struct hone_tuning *tuning,
                     size_t number, bool cross)
{
    const struct hone_record_info *info = hone_tuning_facts(tuning).info;
    const size_t count = hone_tuning_problem_count(tuning);
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (tune->args->quiet || !count) return;
    hone_problem_apart_text(&text, info, number);
    hone_log(HONE_LOG_INFO, "problem %zu of %zu%s: %s", number + 1, count,
             cross ? ", with the best of the others" : "", text.len ? text.data : "");
    hone_strbuf_fini(&text);
}

// From the end of a search to the next problem, or to tune_close, nothing is cut short.
static void on_stage(void *context, const struct hone_tuning *tuning,
                     enum hone_stage stage, size_t problem, bool cross)
{
    const struct tune *tune = context;
    switch (stage) {
    case HONE_STAGE_OPENING:
        hone_interrupt_hold(false);
        if (tune->args->workers.count) // a queue may be long
            hone_interrupt_catch(cli_end_interrupted);
        break;
    case HONE_STAGE_SEARCHING:
        announce(context, tuning, problem, cross);
        hone_interrupt_catch(cli_end_interrupted);
        break;
    case HONE_STAGE_CLOSING:
        hone_interrupt_hold(true);
        cli_progress_end();
        break;
    }
}

/* --- what becomes of it --- */

static struct hone_template_payload_options payload_of(const struct hone_tune_args *a)
{
    return (struct hone_template_payload_options){
        .script = a->words.count ? a->words.items[0] : NULL,
        .builder = hone_build_args_builder(&a->build)};
}

// A run of hours must not end with a header that could not have been made.
static enum hone_status on_known(void *context, const struct hone_record_info *info,
                                 const struct hone_space *space, struct hone_error *err)
{
    const struct tune *tune = context;
    const struct hone_tune_args *a = tune->args;
    const struct hone_header_options options = {.payload = payload_of(a)};
    return hone_header_args_rehearse(&a->header, &a->script, &options, info, space, err);
}

static enum hone_status write_header(struct tune *tune, struct hone_error *err)
{
    const struct hone_tune_args *a = tune->args;
    const struct hone_recording *const recordings[] = {tune->recording};
    return hone_header_args_write(
        &tune->written, a->output, &a->header, &a->script,
        &(struct hone_header_options){.recordings = recordings,
                                      .count = 1,
                                      .payload = payload_of(a),
                                      .kernel = hone_tuning_kernel(tune->tuning)},
        cli_output_write, err);
}

// There is nothing to tell of several problems before one was searched.
static enum hone_status print_summary(const struct tune *tune, enum hone_status status,
                                      struct hone_error *err)
{
    const struct hone_session_result *result = NULL;
    const bool several = hone_tuning_problem_count(tune->tuning) > 0;
    const struct hone_tune_args *a = tune->args;
    if (tune->silent) return status;
    if (several && hone_tuning_problem(&result, NULL, tune->tuning, 0, NULL) != HONE_OK)
        return status;
    if (!a->json) {
        if (several)
            tune_several_print(tune);
        else
            tune_print_text(tune);
        return status;
    }
    if (status != HONE_OK) return status;
    return cli_print_json(hone_tuning_json(&(struct hone_tuning_report){
                              .tuning = tune->tuning,
                              .result = &tune->result,
                              .recording = a->tuning.no_verify ? NULL : tune->recording,
                              .header = tune->has_header ? a->output : NULL,
                              .second = tune->written.second,
                              .coverage = &tune->written.coverage}),
                          err);
}

// The run is over: say what was found also when it broke, then what broke.
static enum hone_status conclude(struct tune *tune, enum hone_status status,
                                 struct hone_error *err)
{
    hone_interrupt_hold(true); // until what was found is written
    const bool emits =
        tune->args->output && hone_tuning_found_any(tune->tuning, &tune->result);
    struct hone_error *why = emits && status == HONE_OK ? err : NULL;
    enum hone_status written = hone_tuning_recording(&tune->recording, tune->tuning, why);
    if (emits) {
        if (written == HONE_OK) written = write_header(tune, why);
        tune->has_header = written == HONE_OK;
        if (status == HONE_OK) status = written;
    }
    status = print_summary(tune, status, err);
    return status == HONE_OK ? hone_tuning_check_found(tune->tuning, err) : status;
}

enum hone_status tune_run(struct tune *tune, const struct hone_tuning_options *options,
                          struct hone_error *err)
{
    struct hone_tuning_options with = *options;
    with.progress = on_progress;
    with.stage = on_stage;
    if (tune->args->output) with.known = on_known;
    with.context = tune;
    if (options->worker_count) hone_interrupt_patience(workers_end_s);
    enum hone_status status = hone_tuning_open(&tune->tuning, &with, err);
    // Its journal is there now, whatever its name: the header must not be that.
    if (status == HONE_OK && tune->args->output)
        status = hone_output_check(tune->args->output, err);
    if (status != HONE_OK) return status;
    status = hone_tuning_run(&tune->result, tune->tuning, err);
    return conclude(tune, status, err);
}

void tune_close(struct tune *tune)
{
    fflush(stdout);
    hone_interrupt_hold(false);
    hone_recording_free(tune->recording);
    hone_tuning_close(tune->tuning);
    hone_written_header_fini(&tune->written);
}

/* --- --repeat-tuning: the same tuning again with other seeds, and how far the winners
 * agree. A tuner whose winner changes from run to run picks within the noise. --- */

struct repeat {
    const struct hone_tune_args *args;
    struct hone_winners winners;
};

static enum hone_status run_once(void *context, const struct hone_tuning_options *options,
                                 struct hone_error *err)
{
    struct repeat *repeat = context;
    struct tune tune = {.args = repeat->args, .silent = repeat->args->json};
    enum hone_status status = tune_run(&tune, options, err);
    if (status == HONE_OK)
        status =
            hone_winners_count(&repeat->winners, tune.tuning, &tune.result.best, err);
    tune_close(&tune);
    return status;
}

static void print_repeat_text(const struct hone_winners *winners)
{
    printf("%zu tunings, %zu winner%s; times are %s\n", winners->runs, winners->count,
           winners->count == 1 ? "" : "s",
           winners->predict ? "predicted" : "each run's own");
    for (size_t i = 0; i < winners->count; i++) {
        const struct hone_winner *winner = &winners->items[i];
        printf("%4zu x  %s to %s us  %s\n", winner->runs,
               hone_plain(winner->least, 5).text, hone_plain(winner->most, 5).text,
               winner->config);
    }
}

static enum hone_status tune_repeat(const struct hone_tune_args *args,
                                    const struct hone_tuning_options *options,
                                    struct hone_error *err)
{
    struct repeat repeat = {.args = args};
    if (args->output || options->resume)
        return hone_fail(err, HONE_EUSAGE,
                         "--repeat-tuning goes with neither --output nor --resume");
    const struct hone_tuning_repeats repeats = {
        .times = args->repeat, .tune = run_once, .context = &repeat};
    enum hone_status status = hone_tuning_repeat(options, &repeats, err);
    hone_winners_sort(&repeat.winners);
    if (repeat.winners.runs && args->json && status == HONE_OK)
        status = cli_print_json(hone_winners_json(&repeat.winners), err);
    else if (repeat.winners.runs)
        print_repeat_text(&repeat.winners);
    hone_winners_fini(&repeat.winners);
    return status;
}

static enum hone_status run_tune(void *args, struct hone_error *err)
{
    const struct hone_tune_args *a = args;
    struct hone_tune_input options;
    struct tune tune = {.args = a};
    enum hone_status status = hone_tune_input_make(&options, a, err);
    if (status == HONE_OK && a->repeat > 1)
        status = tune_repeat(a, &options.options, err);
    else if (status == HONE_OK)
        status = tune_run(&tune, &options.options, err);
    tune_close(&tune);
    hone_tune_input_fini(&options);
    return status;
}

const struct hone_command cli_tune = {
    .name = "tune",
    .summary = "Search the best configuration of a kernel and emit it as a C header",
    .usage = "SCRIPT [--device DEVICE] [--budget N|TIME] [-o HEADER]\n"
             "       hone tune --device replay:JOURNAL [--strategy NAME] [-o HEADER]",
    .details = "Every trial is in the journal as soon as it is known. Ctrl-C ends a run "
               "in order: the\n"
               "header is written from what was found, and --resume goes on later.\n"
               "On emu:GPU times are predictions: -o then needs --accept-predicted.\n\n"
               "examples:\n"
               "  hone tune kernels/sgemm.lua --set M=1024 --set N=1024 --budget 5m -o "
               "sgemm_tuned.h\n"
               "  hone tune kernels/sgemm.lua --device emu:a100 --accept-predicted -o "
               "sgemm_a100.h\n"
               "  hone tune --device replay:sgemm.jsonl --strategy random --budget 200 "
               "-o sgemm.h",
    .options =
        CLI_OPTIONS(hone_options_of_script, hone_options_of_header, hone_options_of_tune),
    .args_size = sizeof(struct hone_tune_args),
    .defaults = &(const struct hone_tune_args){HONE_TUNE_DEFAULTS},
    .named_operand = true,
    .resolve = hone_kernel_name_resolve,
    .operands = {0, SIZE_MAX, ""},
    .run = run_tune,
};
