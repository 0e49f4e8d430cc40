#include "tuning/ranked.h"

static enum hone_status add_part(void *context, const char *name,
                                 const struct hone_recording *part,
                                 struct hone_error *err)
{
    struct hone_ranked *ranked = context;
    hone_strategy_list_describe(&ranked->strategies, hone_recording_info(part));
    return hone_ranking_add(&ranked->ranking, name, part, err);
}

enum hone_status hone_ranked_run(struct hone_ranked *out,
                                 const struct hone_ranked_options *options,
                                 struct hone_error *err)
{
    *out = (struct hone_ranked){.ranking.plan = options->plan};
    struct hone_ranking_plan *plan = &out->ranking.plan;
    enum hone_status status = hone_strategy_list_make(
        &out->strategies, options->strategies, options->strategy_count,
        options->strategy_timeout_s, err);
    if (status == HONE_OK)
        status = hone_parts_load(&out->warm, options->warm, options->warm_count, err);
    plan->strategies = out->strategies.items;
    plan->strategy_count = out->strategies.count;
    plan->warm = out->warm.items;
    plan->warm_count = out->warm.count;
    for (size_t i = 0; status == HONE_OK && i < options->recording_count; i++)
        status = hone_parts_visit(options->recordings[i], add_part, out, err);
    return status == HONE_OK ? hone_ranking_summarise(&out->ranking, err) : status;
}

void hone_ranked_fini(struct hone_ranked *ranked)
{
    hone_ranking_fini(&ranked->ranking);
    hone_strategy_list_fini(&ranked->strategies);
    hone_parts_fini(&ranked->warm);
}
