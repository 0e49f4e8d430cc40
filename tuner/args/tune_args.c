#include "args/tune_args.h"

#include "tuning/script_sets.h"
#include "tuning/target.h"

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
