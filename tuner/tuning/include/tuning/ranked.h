/* Strategies by name ranked on recordings by path: what `hone bench` does. */
#ifndef HONE_TUNING_RANKED_H
#define HONE_TUNING_RANKED_H

#include "score/ranking.h"
#include "tuning/parts.h"
#include "tuning/strategy_list.h"

struct hone_ranked_options {
    const char *const *recordings; /* journals; each problem of one is a space */
    size_t recording_count;
    const char *const *strategies; /* as hone_strategy_list_make; without any: all */
    size_t strategy_count;
    double strategy_timeout_s; /* of those that are programs, for an answer */
    const char *const *warm;   /* journals that runs begin by */
    size_t warm_count;
    struct hone_ranking_plan plan; /* without strategies and warm */
};

struct hone_ranked {
    struct hone_ranking ranking;
    struct hone_strategy_list strategies; /* that ranking borrows, as it does warm's */
    struct hone_parts warm;
};

/* Search all recordings by all strategies, and sum up. EUSAGE, EINPUT and ENOTFOUND for
 * names and files; the failure of a strategy where the plan says stop. Release it after a
 * failure too. */
enum hone_status hone_ranked_run(struct hone_ranked *out,
                                 const struct hone_ranked_options *options,
                                 struct hone_error *err);
void hone_ranked_fini(struct hone_ranked *ranked);

#endif
