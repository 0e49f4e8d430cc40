/* How well one strategy does on one recorded space, from its runs. */
#ifndef HONE_SCORE_FIGURES_H
#define HONE_SCORE_FIGURES_H

#include "score/landscape.h"
#include "score/runs.h"

/* Evaluations at which the best so far is looked at. */
enum { HONE_MARK_COUNT = 4, HONE_MARK_LAST = 200 };
extern const size_t hone_marks[HONE_MARK_COUNT]; /* 25 50 100 200 */

/* A best this far above the optimum counts as found. */
#define HONE_NEAR 1.05

struct hone_figures {
    size_t repeats;
    double *scores; /* [repeats] against the exact baseline */
    double score, compatible;
    /* At each mark, NAN where the runs end before. Means over the runs of optimum / best,
     * of ln(best / optimum), and the share of runs within 5 % of the optimum. */
    double ratio[HONE_MARK_COUNT], log_slowdown[HONE_MARK_COUNT], near[HONE_MARK_COUNT];
    double spent;  /* evaluations of all runs until within 5 %, or to their end */
    size_t nears;  /* runs that got there */
    double cpu_us; /* an ask */
    double *curve; /* [HONE_MARK_LAST] median over the runs of optimum / best; NAN past
                      the end of the runs */
};

enum hone_status hone_figures_init(struct hone_figures *figures,
                                   const struct hone_landscape *landscape,
                                   const struct hone_runs *runs, size_t strategy,
                                   struct hone_error *err);
void hone_figures_fini(struct hone_figures *figures);

#endif
