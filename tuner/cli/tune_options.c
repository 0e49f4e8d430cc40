// The arguments of hone tune as options of a tuning.
#include <stdlib.h>

#include "interrupt.h"
#include "tune.h"
#include "tuning/script_sets.h"
#include "tuning/target.h"

static enum hone_status check_tune_args(const struct tune_args *a, bool replay,
                                        struct hone_error *err)
{
    enum hone_status status =
        hone_words_expect(&a->words, replay ? 0 : 1, replay ? 0 : 1, "the script", err);
    if (status == HONE_OK && a->output)
        status = cli_header_check(a->output, a->json, err);
    if (status == HONE_OK && !replay) status = cli_sets_check(&a->script.set, err);
    return status;
}

static struct hone_tuning_options copy_args(const struct tune_args *a)
{
    return (struct hone_tuning_options){
        .script = a->words.count ? a->words.items[0] : NULL,
        .problems = a->problems,
        .strategy = a->strategy,
        .strategy_timeout_s = a->strategy_timeout,
        .on_strategy_error = a->on_error,
        .isolate = a->isolate,
        .sustained = a->sustained,
        .clock = a->clock,
        .warm_cache = a->l2 == TUNE_L2_WARM,
        .objective = a->objective,
        .warm = a->warm.items,
        .warm_count = a->warm.count,
        .seed = a->seed,
        .any_seed = true,
        .evaluations = a->budget.evaluations,
        .seconds = a->budget.seconds,
        .workers = a->workers.items,
        .worker_count = a->workers.count,
        .deadlines = {.launch_most = a->launch_deadline, .build_most = a->build_deadline},
        .no_wait = a->no_wait,
        .calibrate = a->calibrate,
        .no_verify = a->no_verify,
        .no_race = a->no_race,
        .no_finals = a->no_finals,
        .measured_only = a->output && !a->header.accept_predicted,
        .drift_every = a->drift_check ? a->drift_check : UINT64_MAX,
        .journal = a->journal,
        .name_journal = true,
        .resume = a->resume};
}

enum hone_status tune_options_make(struct tune_options *out, const struct tune_args *args,
                                   struct hone_error *err)
{
    *out = (struct tune_options){.options = copy_args(args)};
    struct hone_tuning_options *o = &out->options;
    enum hone_status status = cli_tuning_options(o, &args->script, &args->build, err);
    if (status == HONE_OK)
        status = check_tune_args(args, hone_replay_path(o) != NULL, err);
    if (status == HONE_OK)
        status = hone_script_sets_split(&out->set, &out->text, args->script.set.items,
                                        args->script.set.count, err);
    o->set = out->set;
    o->set_count = args->script.set.count;
    return status;
}

void tune_options_fini(struct tune_options *options)
{
    free(options->set);
    free(options->text);
}
