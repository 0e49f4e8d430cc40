// The arguments of hone tune as options of a tuning.
#include "tune.h"
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

enum hone_status tune_options_make(struct tune_options *out, const struct tune_args *args,
                                   struct hone_error *err)
{
    struct hone_tuning_options *o = &out->options;
    *o = args->tuning;
    o->script = args->words.count ? args->words.items[0] : NULL;
    o->warm_cache = args->l2 == TUNE_L2_WARM;
    o->warm = args->warm.items;
    o->warm_count = args->warm.count;
    o->evaluations = args->budget.evaluations;
    o->seconds = args->budget.seconds;
    o->workers = args->workers.items;
    o->worker_count = args->workers.count;
    o->measured_only = args->output && !args->header.accept_predicted;
    if (!o->drift_every) o->drift_every = UINT64_MAX; // 0 is never for people
    enum hone_status status =
        cli_tuning_options(o, &out->script, &args->script, &args->build, err);
    return status == HONE_OK ? check_tune_args(args, hone_replay_path(o) != NULL, err)
                             : status;
}

void tune_options_fini(struct tune_options *options)
{
    cli_script_fini(&options->script);
}
