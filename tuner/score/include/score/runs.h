/* Replays of one recorded space: every strategy, every seed, on all cores. What a run
 * finds depends on the seed alone, never on the number of cores. */
#ifndef HONE_SCORE_RUNS_H
#define HONE_SCORE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "hone/record.h"
#include "hone/search.h"

struct hone_runs_plan {
    const struct hone_strategy_fns *const *strategies;
    size_t strategy_count;
    size_t repeats;
    uint64_t seed;         /* repeat r of each strategy uses seed + r */
    size_t budget;         /* evaluations a run */
    const uint64_t *start; /* proposed first */
    size_t start_count;
    const struct hone_expectation *expectation; /* borrowed; or NULL */
    size_t design;                              /* size of the start design */
    size_t threads;                             /* 0: one a core */
    enum hone_on_error on_error;
};

struct hone_runs {
    size_t strategy_count, repeats, budget;
    double *best;   /* [strategy][repeat][budget] best cost so far; the worst cost of the
                       space while none was valid */
    double *cpu_us; /* [strategy][repeat] CPU time an ask, replay included */
};

/* worst is the cost that stands in until a run has found a valid configuration. */
enum hone_status hone_runs_make(struct hone_runs *runs,
                                const struct hone_recording *recording, double worst,
                                const struct hone_runs_plan *plan,
                                struct hone_error *err);
void hone_runs_fini(struct hone_runs *runs);

const double *hone_runs_best(const struct hone_runs *runs, size_t strategy,
                             size_t repeat);

#endif
