// hone tune: search the best configuration of a script on a device, or of a recording.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"
#include "tune.h"

enum { DEFAULT_BUDGET = 200 };

// Four times what half the interval of a median is aimed at: noise alone is no drift.
static const double drift_limit = 0.02;

static bool on_progress(void *context, const struct hone_progress *progress)
{
    struct tune *tune = context;
    if (tune->first_failure.outcome == HONE_VALID) tune->first_failure = *progress->trial;
    if (tune->args->quiet) return true;
    const bool improved = progress->best &&
                          progress->best->index == progress->trial->index &&
                          progress->trial->outcome == HONE_VALID;
    cli_progress_tune(progress, tune->space, improved);
    return true;
}

static uint64_t budget_of(const struct tune *tune)
{
    const struct tune_args *a = tune->args;
    if (tune->part && tune->part->cross) return tune->resumed_count + tune->fresh;
    if (a->budget.evaluations) return a->budget.evaluations;
    return a->budget.seconds > 0 ? UINT64_MAX : DEFAULT_BUDGET;
}

// Finals for energy run for a second each anyway.
static bool holds_sustained_finals(const struct tune *tune)
{
    const char *wish = tune->args->sustained;
    if (tune->objective != HONE_OBJECTIVE_TIME || !wish) return false;
    if (strcmp(wish, "auto") != 0) return strcmp(wish, "yes") == 0;
    return hone_workbench_is_compute_bound(&tune->bench, &tune->bench.limits);
}

enum hone_status tune_search(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    const struct tune_part *part = tune->part;
    const double seconds = part ? part->seconds : a->budget.seconds;
    const struct hone_session_options options = {
        .strategy = tune->strategy.fns,
        .search = {.seed = a->seed,
                   .budget = budget_of(tune),
                   .start = tune->start,
                   .start_count = tune->start_count,
                   .expectation = tune->expectation,
                   .on_error = tune->on_error,
                   .design = part && part->cross ? 0 : HONE_DESIGN_AUTO},
        .no_default = !tune->bench.has_default,
        .seconds = seconds > 0 ? seconds : HUGE_VAL,
        .journal = tune->journal,
        .resumed = tune->resumed,
        .resumed_count = tune->resumed_count,
        .retried = tune->retried,
        .retried_count = tune->retried_count,
        .progress = on_progress,
        .context = tune,
        .confirm = !part || part->cross,
        .finals = !a->no_finals && !tune->predicts && (!part || part->cross),
        .sustained = holds_sustained_finals(tune),
        .drift_every = (size_t)tune->info.drift_every,
        .drift_limit = tune->info.drift_limit,
        .cancel = cli_interrupt_flag(),
    };
    cli_interrupt_catch();
    enum hone_status status =
        hone_session_run(&tune->result, tune->space, tune->evaluator, &options, err);
    cli_interrupt_hold(true); // until what was found is written: tune_close
    cli_progress_end();
    return status;
}

enum hone_status tune_write_header(const struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    struct hone_recording *recording = NULL;
    struct hone_template_payload payload = {0};
    const struct hone_emit_options options = cli_emit_options(&a->header, &payload);
    const char *script = a->words.count ? a->words.items[0] : NULL;
    enum hone_status status = cli_payload_open(&payload, &a->header.payload, script,
                                               &a->script, &a->build, err);
    if (status == HONE_OK)
        status = hone_recording_load(&recording, tune->journal_path, err);
    if (status == HONE_OK)
        status = cli_header_write(tune->args->output,
                                  (const struct hone_recording *const *)&recording, 1,
                                  &options, err);
    hone_template_payload_close(&payload);
    hone_recording_free(recording);
    return status;
}

static enum hone_status check_args(const struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    const bool replay = tune_replay_path(a) != NULL;
    enum hone_status status =
        cli_expect_words(&a->words, replay ? 0 : 1, replay ? 0 : 1, "the script", err);
    if (status == HONE_OK && a->output) status = cli_output_check(a->output, err);
    if (status == HONE_OK && a->json && cli_output_is_stdout(a->output))
        status = hone_fail(err, HONE_EUSAGE, "--json and -o - both want standard output");
    if (status == HONE_OK && replay && strcmp(a->objective, "time") != 0)
        status = hone_fail(err, HONE_EUSAGE, "a recording keeps its own objective");
    if (status == HONE_OK && a->calibrate && replay)
        status = hone_fail(err, HONE_EUSAGE, "--calibrate is for emulated devices");
    if (status == HONE_OK &&
        (a->launch_deadline.evaluations || a->build_deadline.evaluations))
        status = hone_fail(err, HONE_EUSAGE, "a deadline is a time: 30s, 5m");
    if (status == HONE_OK && a->resume && !a->journal)
        status =
            hone_fail(err, HONE_EUSAGE, "--resume needs --journal FILE to go on with");
    return status;
}

static enum hone_status check_predictions(const struct tune *tune, struct hone_error *err)
{
    if (!tune->args->output || !tune->predicts || tune->args->header.accept_predicted)
        return HONE_OK;
    return hone_fail(
        err, HONE_EUSAGE,
        "%s predicts times, it does not measure them: a header from predictions "
        "needs --accept-predicted",
        tune->info.device_id ? tune->info.device_id : "this recording");
}

static enum hone_status fail_nothing_valid(const struct tune *tune,
                                           struct hone_error *err)
{
    const struct hone_session_result *result = &tune->result;
    const struct hone_trial *first =
        result->refuted ? &result->refuted_first : &tune->first_failure;
    return hone_fail(err, HONE_EDEVICE,
                     "none of %zu configurations is valid; the first: %s: %s",
                     tune->result.done, hone_outcome_name(first->outcome), first->reason);
}

// The run is over: say what was found also when it broke, then what broke.
static enum hone_status conclude(struct tune *tune, enum hone_status status,
                                 struct hone_error *err)
{
    enum hone_status closed = tune_close_journal(tune, status == HONE_OK ? err : NULL);
    if (status == HONE_OK) status = closed;
    if (closed == HONE_OK && tune->result.has_best && tune->args->output) {
        enum hone_status written =
            tune_write_header(tune, status == HONE_OK ? err : NULL);
        tune->has_header = written == HONE_OK;
        if (status == HONE_OK) status = written;
    }
    if (!tune->args->json && !tune->silent)
        tune_print_text(tune);
    else if (status == HONE_OK && !tune->silent)
        status = tune_print_json(tune, err);
    if (status == HONE_OK && tune->result.stop == HONE_STOP_CANCELLED)
        status =
            hone_fail(err, HONE_ECANCELLED, "interrupted; what was measured is kept");
    if (status == HONE_OK && !tune->result.has_best)
        status = fail_nothing_valid(tune, err);
    return status;
}

static enum hone_status find_strategy(struct tune *tune, struct hone_error *err)
{
    const struct tune_args *a = tune->args;
    enum hone_status status = cli_strategy_timeout(a->strategy, a->strategy_timeout, err);
    if (status == HONE_OK)
        status = hone_named_strategy_find(&tune->strategy, a->strategy,
                                          (double)a->strategy_timeout, err);
    if (status != HONE_OK) return status;
    return cli_strategy_on_error(&tune->on_error, a->on_strategy_error,
                                 HONE_ON_ERROR_RANDOM, err);
}

enum hone_status tune_prepare(struct tune *tune, struct hone_error *err)
{
    enum hone_status status = check_args(tune, err);
    if (status == HONE_OK) status = find_strategy(tune, err);
    if (status == HONE_OK) status = tune_open_target(tune, err);
    if (status == HONE_OK) status = check_predictions(tune, err);
    if (status != HONE_OK) return status;
    status = tune_choose_start(tune, budget_of(tune), err);
    if (status != HONE_OK) return status;
    tune->info.seed = tune->args->seed;
    if (!tune->predicts && tune->bench.has_default && tune->args->drift_check) {
        tune->info.drift_every = tune->args->drift_check;
        tune->info.drift_limit = drift_limit;
    }
    hone_named_strategy_describe(&tune->strategy, &tune->info);
    return tune_open_journal(tune, err);
}

enum hone_status tune_run(struct tune *tune, struct hone_error *err)
{
    enum hone_status status = tune_prepare(tune, err);
    if (status != HONE_OK) return status;
    status = tune_search(tune, err);
    return conclude(tune, status, err);
}

static enum hone_status run_single(const struct tune_args *args, struct hone_error *err)
{
    struct tune tune = {.args = args, .gpu_lock = -1};
    enum hone_status status = tune_run(&tune, err);
    tune_close(&tune);
    return status;
}

static enum hone_status run(void *args, struct hone_error *err)
{
    const struct tune_args *a = args;
    struct hone_problem_list problems = {0};
    struct tune words = {.args = a, .gpu_lock = -1};
    enum hone_status status = check_args(&words, err);
    if (status == HONE_OK) status = find_strategy(&words, err);
    tune_close(&words);
    if (status == HONE_OK) status = tune_problems(&problems, a, err);
    if (status == HONE_OK && problems.count)
        status = tune_several(a, &problems, err);
    else if (status == HONE_OK && a->repeat > 1)
        status = tune_repeat(a, err);
    else if (status == HONE_OK)
        status = run_single(a, err);
    hone_problem_list_fini(&problems);
    return status;
}

static const struct cli_option option_table[] = {
    {"strategy", 's', "NAME",
     "how to search ('hone strategies'), a Lua file or exec:COMMAND [portfolio]",
     &cli_text, offsetof(struct tune_args, strategy)},
    {"on-strategy-error", 0, "random|stop",
     "when the strategy breaks: go on at random, or stop [random]", &cli_text,
     offsetof(struct tune_args, on_strategy_error)},
    {"strategy-timeout", 0, "S", "seconds that exec:COMMAND has for an answer [60]",
     &cli_count, offsetof(struct tune_args, strategy_timeout)},
    {"budget", 'b', "N|TIME", "evaluations, or time with s, m or h [200]", &cli_budget,
     offsetof(struct tune_args, budget)},
    {"problems", 0, "FILE", "tune these together: lines like M=512 N=64 weight=2",
     &cli_file, offsetof(struct tune_args, problems)},
    {"seed", 0, "N", "of the search and of the input data [1]", &cli_count,
     offsetof(struct tune_args, seed)},
    {"journal", 0, "FILE", "where the trials are kept [NAME-DEVICE.jsonl]", &cli_file,
     offsetof(struct tune_args, journal)},
    {"resume", 0, NULL, "go on with the journal of an earlier run", &cli_flag,
     offsetof(struct tune_args, resume)},
    {"output", 'o', "FILE", "write the header there; '-' for standard output", &cli_file,
     offsetof(struct tune_args, output)},
    {"calibrate", 0, "JOURNAL", "correct predictions by this run on the GPU", &cli_file,
     offsetof(struct tune_args, calibrate)},
    {"no-verify", 0, NULL, "time without comparing to the reference", &cli_flag,
     offsetof(struct tune_args, no_verify)},
    {"no-race", 0, NULL, "measure also what is clearly slower to the end", &cli_flag,
     offsetof(struct tune_args, no_race)},
    {"no-finals", 0, NULL, "name the best of the search without measuring again",
     &cli_flag, offsetof(struct tune_args, no_finals)},
    {"sustained", 0, "yes|no|auto",
     "finals by launches in a row, once the clock is steady [auto: compute-bound]",
     &cli_text, offsetof(struct tune_args, sustained)},
    {"warm", 0, "FILE...", "begin with the best of these journals of other GPUs or sizes",
     &cli_files, offsetof(struct tune_args, warm)},
    {"clock", 0, "auto|cupti|event|graph", "what to time by [auto: CUPTI, else events]",
     &cli_text, offsetof(struct tune_args, clock)},
    {"objective", 0, "NAME",
     "time, energy, edp (energy times time) or flops_per_watt [time]", &cli_text,
     offsetof(struct tune_args, objective)},
    {"drift-check", 0, "N", "measure the default again every N trials; 0: never [50]",
     &cli_count, offsetof(struct tune_args, drift_check)},
    {"l2", 0, "cold|warm", "whether a timed launch finds its data in L2 [cold]",
     &cli_text, offsetof(struct tune_args, l2)},
    {"repeat-tuning", 0, "N", "tune N times by other seeds: how often the winner changes",
     &cli_count, offsetof(struct tune_args, repeat)},
    {"threads", 'j', "N", "compile threads [one a core]", &cli_count,
     offsetof(struct tune_args, build.threads)},
    {"cache", 0, "FOLDER", "of builds; '' for none", &cli_folder_or_none,
     offsetof(struct tune_args, build.cache)},
    {"isolate", 0, "yes|no|auto", "measure in a process of its own [auto: on a GPU]",
     &cli_text, offsetof(struct tune_args, isolate)},
    {"worker", 0, "COMMAND", "measure there: 'ssh HOST hone worker'; repeatable",
     &cli_list, offsetof(struct tune_args, workers)},
    {"launch-deadline", 0, "TIME", "most that one launch may take [30s]", &cli_budget,
     offsetof(struct tune_args, launch_deadline)},
    {"build-deadline", 0, "TIME", "most that one build may take [10m]", &cli_budget,
     offsetof(struct tune_args, build_deadline)},
    {"no-wait", 0, NULL, "fail when another tuner uses the GPU", &cli_flag,
     offsetof(struct tune_args, no_wait)},
    {"quiet", 'q', NULL, "no progress", &cli_flag, offsetof(struct tune_args, quiet)},
    {"json", 0, NULL, "print the result as JSON", &cli_flag,
     offsetof(struct tune_args, json)},
    {0},
};

const struct cli_command cli_tune = {
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
    .options = (const struct cli_option *const[]){cli_script_options, cli_header_options,
                                                  option_table, NULL},
    .args_size = sizeof(struct tune_args),
    .defaults = &(const struct tune_args){.script.device = "auto",
                                          .strategy = "portfolio",
                                          .strategy_timeout = 60,
                                          .isolate = "auto",
                                          .sustained = "auto",
                                          .clock = "auto",
                                          .l2 = "cold",
                                          .objective = "time",
                                          .drift_check = 50,
                                          .seed = 1},
    .run = run,
};
