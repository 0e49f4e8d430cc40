#include "args/tune_args.h"

#include "tuning/script_sets.h"
#include "tuning/target.h"

static const struct hone_choice l2_words[] = {
    {"cold", HONE_L2_COLD}, {"warm", HONE_L2_WARM}, {0}};
static const struct hone_option_kind l2_kind = HONE_CHOICE_KIND(l2_words);

static const struct hone_choice counting_words[] = {
    {"light", HONE_COUNTING_LIGHT}, {"full", HONE_COUNTING_FULL}, {0}};
static const struct hone_option_kind counting_kind = HONE_CHOICE_KIND(counting_words);

const struct hone_option hone_options_of_tune[] = {
    {"strategy", 's', "NAME",
     "how to search ('hone strategies'), a Lua file or exec:COMMAND [portfolio]",
     &hone_kind_strategy, offsetof(struct hone_tune_args, tuning.strategy)},
    {"on-strategy-error", 0, NULL,
     "when the strategy breaks: go on at random, or stop [random]", &hone_kind_on_error,
     offsetof(struct hone_tune_args, tuning.on_strategy_error)},
    {"strategy-timeout", 0, "S", "seconds that exec:COMMAND has for an answer [60]",
     HONE_SECONDS(struct hone_tune_args, tuning.strategy_timeout_s)},
    {"budget", 'b', "N|TIME", "evaluations, or time with s, m or h [200]",
     &hone_kind_budget, offsetof(struct hone_tune_args, budget)},
    {"problems", 0, "FILE", "tune these together: lines like M=512 N=64 weight=2",
     HONE_FILE(struct hone_tune_args, tuning.problems)},
    {"seed", 0, "N", "of the search and of the input data [1]",
     HONE_COUNT(struct hone_tune_args, tuning.seed)},
    {"journal", 0, "FILE", "where the trials are kept [NAME-DEVICE.jsonl]",
     HONE_FILE(struct hone_tune_args, tuning.journal)},
    {"resume", 0, NULL, "go on with the journal of an earlier run",
     HONE_FLAG(struct hone_tune_args, tuning.resume)},
    {"output", 'o', "FILE", "write the header there; '-' for standard output",
     HONE_OUTPUT(struct hone_tune_args, output)},
    {"calibrate", 0, "JOURNAL", "correct predictions by this run on the GPU",
     HONE_FILE(struct hone_tune_args, tuning.calibrate)},
    {"no-verify", 0, NULL, "time without comparing to the reference",
     HONE_FLAG(struct hone_tune_args, tuning.no_verify)},
    {"no-race", 0, NULL, "measure also what is clearly slower to the end",
     HONE_FLAG(struct hone_tune_args, tuning.no_race)},
    {"no-finals", 0, NULL, "name the best of the search without measuring again",
     HONE_FLAG(struct hone_tune_args, tuning.no_finals)},
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
     HONE_COUNT(struct hone_tune_args, tuning.drift_every)},
    {"l2", 0, NULL, "whether a timed launch finds its data in L2 [cold]", &l2_kind,
     offsetof(struct hone_tune_args, l2)},
    {"repeat-tuning", 0, "N", "tune N times by other seeds: how often the winner changes",
     HONE_COUNT(struct hone_tune_args, repeat)},
    HONE_BUILD_OPTIONS(struct hone_tune_args),
    {"isolate", 0, NULL, "measure in a process of its own [auto: on a GPU]",
     &hone_kind_wish, offsetof(struct hone_tune_args, tuning.isolate)},
    {"worker", 0, "COMMAND", "measure there: 'ssh HOST hone worker'; repeatable",
     HONE_TEXTS(struct hone_tune_args, workers)},
    {"worker-start", 0, "TIME",
     "most that a --worker may wait in a queue before it begins [any time]",
     HONE_TIME(struct hone_tune_args, tuning.deadlines.queue)},
    {"worker-silence", 0, "TIME",
     "most that a worker may be without a sign of life [30s]",
     HONE_TIME(struct hone_tune_args, tuning.deadlines.silence)},
    {"launch-deadline", 0, "TIME",
     "most that one launch may take [30s; 60s of CPU emulated]",
     HONE_TIME(struct hone_tune_args, tuning.deadlines.launch_most)},
    {"build-deadline", 0, "TIME", "most that one build may take [10m]",
     HONE_TIME(struct hone_tune_args, tuning.deadlines.build_most)},
    {"no-wait", 0, NULL, "fail when another tuner uses the GPU",
     HONE_FLAG(struct hone_tune_args, tuning.no_wait)},
    {"quiet", 'q', NULL, "no progress", HONE_FLAG(struct hone_tune_args, quiet)},
    {"json", 0, NULL, "print the result as JSON", HONE_FLAG(struct hone_tune_args, json)},
    {0},
};

static enum hone_status check_tune_args(const struct hone_tune_args *a, bool replay,
                                        struct hone_error *err)
{
    enum hone_status status =
        hone_words_expect(&a->words, replay ? 0 : 1, replay ? 0 : 1, "the script", err);
    if (status == HONE_OK && a->output)
        status = hone_header_args_check(a->output, &a->header, a->json, err);
    if (status == HONE_OK && !replay)
        status = hone_script_sets_check(a->script.set.items, a->script.set.count, err);
    return status;
}

enum hone_status hone_tune_input_make(struct hone_tune_input *out,
                                      const struct hone_tune_args *args,
                                      struct hone_error *err)
{
    struct hone_tuning_options *o = &out->options;
    *o = args->tuning;
    o->script = args->words.count ? args->words.items[0] : NULL;
    o->warm_cache = args->l2 == HONE_L2_WARM;
    o->warm = args->warm.items;
    o->warm_count = args->warm.count;
    o->evaluations = args->budget.evaluations;
    o->seconds = args->budget.seconds;
    o->workers = args->workers.items;
    o->worker_count = args->workers.count;
    o->measured_only = args->output && !args->header.accept_predicted;
    if (!o->drift_every) o->drift_every = UINT64_MAX; // 0 is never for people
    enum hone_status status =
        hone_script_args_tuning(o, &out->script, &args->script, &args->build, err);
    return status == HONE_OK ? check_tune_args(args, hone_replay_path(o) != NULL, err)
                             : status;
}

void hone_tune_input_fini(struct hone_tune_input *options)
{
    hone_script_input_fini(&options->script);
}
