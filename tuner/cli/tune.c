// hone tune: search the best configuration of a script on a device, or of a recording.
#include <stdio.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "cli.h"
#include "output.h"
#include "progress.h"
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
    const bool improved = progress->best &&
                          progress->best->index == progress->trial->index &&
                          progress->trial->outcome == HONE_VALID;
    cli_progress_tune(progress, hone_tuning_space(tune->tuning),
                      hone_tuning_facts(tune->tuning).workers.waiting, improved);
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

static enum hone_status write_header(struct tune *tune, struct hone_error *err)
{
    const struct hone_tune_args *a = tune->args;
    const struct hone_recording *const recordings[] = {tune->recording};
    return hone_header_args_write(
        &tune->written, a->output, &a->header, &a->script,
        &(struct hone_header_options){
            .recordings = recordings,
            .count = 1,
            .payload = {.script = a->words.count ? a->words.items[0] : NULL,
                        .builder = hone_build_args_builder(&a->build)},
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
    with.context = tune;
    if (options->worker_count) hone_interrupt_patience(workers_end_s);
    enum hone_status status = hone_tuning_open(&tune->tuning, &with, err);
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

static const struct hone_choice l2_words[] = {
    {"cold", HONE_L2_COLD}, {"warm", HONE_L2_WARM}, {0}};
static const struct hone_option_kind l2_kind = HONE_CHOICE_KIND(l2_words);

static const struct hone_choice counting_words[] = {
    {"light", HONE_COUNTING_LIGHT}, {"full", HONE_COUNTING_FULL}, {0}};
static const struct hone_option_kind counting_kind = HONE_CHOICE_KIND(counting_words);

static const struct hone_option option_table[] = {
    {"strategy", 's', "NAME",
     "how to search ('hone strategies'), a Lua file or exec:COMMAND [portfolio]",
     &hone_kind_strategy, offsetof(struct hone_tune_args, tuning.strategy)},
    {"on-strategy-error", 0, NULL,
     "when the strategy breaks: go on at random, or stop [random]", &hone_kind_on_error,
     offsetof(struct hone_tune_args, tuning.on_strategy_error)},
    {"strategy-timeout", 0, "S", "seconds that exec:COMMAND has for an answer [60]",
     &hone_kind_seconds, offsetof(struct hone_tune_args, tuning.strategy_timeout_s)},
    {"budget", 'b', "N|TIME", "evaluations, or time with s, m or h [200]",
     &hone_kind_budget, offsetof(struct hone_tune_args, budget)},
    {"problems", 0, "FILE", "tune these together: lines like M=512 N=64 weight=2",
     &hone_kind_file, offsetof(struct hone_tune_args, tuning.problems)},
    {"seed", 0, "N", "of the search and of the input data [1]", &hone_kind_count,
     offsetof(struct hone_tune_args, tuning.seed)},
    {"journal", 0, "FILE", "where the trials are kept [NAME-DEVICE.jsonl]",
     &hone_kind_file, offsetof(struct hone_tune_args, tuning.journal)},
    {"resume", 0, NULL, "go on with the journal of an earlier run", &hone_kind_flag,
     offsetof(struct hone_tune_args, tuning.resume)},
    {"output", 'o', "FILE", "write the header there; '-' for standard output",
     &hone_kind_file, offsetof(struct hone_tune_args, output)},
    {"calibrate", 0, "JOURNAL", "correct predictions by this run on the GPU",
     &hone_kind_file, offsetof(struct hone_tune_args, tuning.calibrate)},
    {"no-verify", 0, NULL, "time without comparing to the reference", &hone_kind_flag,
     offsetof(struct hone_tune_args, tuning.no_verify)},
    {"no-race", 0, NULL, "measure also what is clearly slower to the end",
     &hone_kind_flag, offsetof(struct hone_tune_args, tuning.no_race)},
    {"no-finals", 0, NULL, "name the best of the search without measuring again",
     &hone_kind_flag, offsetof(struct hone_tune_args, tuning.no_finals)},
    {"sustained", 0, NULL,
     "finals by launches in a row, once the clock is steady [auto: compute-bound]",
     &hone_kind_wish, offsetof(struct hone_tune_args, tuning.sustained)},
    {"counters", 0, NULL,
     "read the GPU's counters of winner and default at the end [none]", &counting_kind,
     offsetof(struct hone_tune_args, tuning.counting)},
    {"warm", 0, "FILE...", "begin with the best of these journals of other GPUs or sizes",
     &hone_kind_files, offsetof(struct hone_tune_args, warm)},
    {"clock", 0, NULL, "what to time by [auto: CUPTI, else events]", &hone_kind_clock,
     offsetof(struct hone_tune_args, tuning.clock)},
    {"objective", 0, NULL,
     "what to look for the best of; edp is energy times time [time]",
     &hone_kind_objective, offsetof(struct hone_tune_args, tuning.objective)},
    {"drift-check", 0, "N", "measure the default again every N trials; 0: never [50]",
     &hone_kind_count, offsetof(struct hone_tune_args, tuning.drift_every)},
    {"l2", 0, NULL, "whether a timed launch finds its data in L2 [cold]", &l2_kind,
     offsetof(struct hone_tune_args, l2)},
    {"repeat-tuning", 0, "N", "tune N times by other seeds: how often the winner changes",
     &hone_kind_count, offsetof(struct hone_tune_args, repeat)},
    HONE_BUILD_OPTIONS(struct hone_tune_args),
    {"isolate", 0, NULL, "measure in a process of its own [auto: on a GPU]",
     &hone_kind_wish, offsetof(struct hone_tune_args, tuning.isolate)},
    {"worker", 0, "COMMAND", "measure there: 'ssh HOST hone worker'; repeatable",
     &hone_kind_texts, offsetof(struct hone_tune_args, workers)},
    {"worker-start", 0, "TIME",
     "most that a --worker may wait in a queue before it begins [any time]",
     &hone_kind_time, offsetof(struct hone_tune_args, tuning.deadlines.queue)},
    {"worker-silence", 0, "TIME",
     "most that a worker may be without a sign of life [30s]", &hone_kind_time,
     offsetof(struct hone_tune_args, tuning.deadlines.silence)},
    {"launch-deadline", 0, "TIME", "most that one launch may take [30s]", &hone_kind_time,
     offsetof(struct hone_tune_args, tuning.deadlines.launch_most)},
    {"build-deadline", 0, "TIME", "most that one build may take [10m]", &hone_kind_time,
     offsetof(struct hone_tune_args, tuning.deadlines.build_most)},
    {"no-wait", 0, NULL, "fail when another tuner uses the GPU", &hone_kind_flag,
     offsetof(struct hone_tune_args, tuning.no_wait)},
    {"quiet", 'q', NULL, "no progress", &hone_kind_flag,
     offsetof(struct hone_tune_args, quiet)},
    {"json", 0, NULL, "print the result as JSON", &hone_kind_flag,
     offsetof(struct hone_tune_args, json)},
    {0},
};

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
    .options = CLI_OPTIONS(hone_options_of_script, hone_options_of_header, option_table),
    .args_size = sizeof(struct hone_tune_args),
    .defaults = &(const struct hone_tune_args){HONE_TUNE_DEFAULTS},
    .named_operand = true,
    .resolve = hone_kernel_name_resolve,
    .operands = {0, SIZE_MAX, ""},
    .run = run_tune,
};
