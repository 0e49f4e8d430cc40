/* Strategies ranked by how they search recorded spaces: each space is searched by each of
 * them, and its figures are summed up over the spaces. */
#ifndef HONE_SCORE_RANKING_H
#define HONE_SCORE_RANKING_H

#include "hone/record.h"
#include "score/summary.h"

/* How each space is searched; all of it is borrowed. */
struct hone_ranking_plan {
    const struct hone_strategy_fns *const *strategies;
    size_t strategy_count;
    uint64_t repeats; /* runs of each strategy; not 0 */
    uint64_t seed;    /* of the first run; run r uses seed + r */
    uint64_t budget;  /* evaluations a run; 0: as docs/benchmark.md */
    uint64_t design;  /* size of the start design */
    uint64_t threads; /* 0: one a core */
    enum hone_on_error on_error;
    const struct hone_recording *const
        *warm; /* where runs begin by; those of the same kernel
                                                 on other devices count */
    size_t warm_count;
};

/* A space that was searched. */
struct hone_ranking_space {
    char *name; /* as the caller calls it */
    struct hone_landscape landscape;
    const char *apart; /* why it stays out of the means; NULL when it does not */
    uint64_t *start;   /* where every run begins */
    size_t start_count;
    struct hone_expectation *expectation; /* and what it goes by; or NULL */
    struct hone_figures *figures;         /* [strategies] */
};

/* Begins as {.plan = ...}. */
struct hone_ranking {
    struct hone_ranking_plan plan;
    struct hone_ranking_space *spaces;
    size_t space_count, scored;          /* scored: not apart */
    struct hone_summary *summaries;      /* [strategies]; of the scored spaces */
    struct hone_difference *differences; /* [strategies][strategies], row minus column;
                                            NULL where no space is scored */
};

/* Let every strategy search a recording of one problem. name is copied. EINPUT for a
 * recording without a valid trial; a strategy's own failure where on_error says stop. */
enum hone_status hone_ranking_add(struct hone_ranking *ranking, const char *name,
                                  const struct hone_recording *recording,
                                  struct hone_error *err);

/* Sum up what was added, once, after the last of it. */
enum hone_status hone_ranking_summarise(struct hone_ranking *ranking,
                                        struct hone_error *err);

/* The strategy with the best mean, by its place in the plan. */
size_t hone_ranking_leader(const struct hone_ranking *ranking);
/* The number-th of the spaces that are not apart. */
const struct hone_ranking_space *hone_ranking_scored(const struct hone_ranking *ranking,
                                                     size_t number);
/* Add the mean of a strategy's curves over the scored spaces, or over all when none is,
 * to curve[HONE_MARK_LAST]. */
void hone_ranking_curve(const struct hone_ranking *ranking, size_t strategy,
                        double *curve);

/* Also after a failure. */
void hone_ranking_fini(struct hone_ranking *ranking);

#endif
