/* What is known of a recorded space: its costs in order, and how well random search does
 * on it, in closed form. Pure mathematics; the method and its sources are in
 * docs/benchmark.md. */
#ifndef HONE_SCORE_LANDSCAPE_H
#define HONE_SCORE_LANDSCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

/* A score ends where random search is expected within this of the way from the optimum to
 * the median. */
#define HONE_LAST_FRACTION 0.05

/* What a search is scored against: value[m] is what random search is credited with after
 * m evaluations. A score is the mean over m = first .. last. */
struct hone_baseline {
    double *value; /* [last + 1]; value[0] is the worst cost */
    size_t first, last;
};

struct hone_landscape {
    size_t count; /* configurations */
    size_t valid; /* of them with a cost */
    double *cost; /* [valid], ascending */
    double median;
    struct hone_baseline exact;      /* expectation of the best, failures included */
    struct hone_baseline compatible; /* Kernel Tuner's: value at the expected rank */
};

/* From the costs of all configurations, INFINITY for those that fail; limit caps the
 * evaluations a score looks at, 0 for none. EINPUT when none is valid. */
enum hone_status hone_landscape_init(struct hone_landscape *landscape,
                                     const double *costs, size_t count, size_t limit,
                                     struct hone_error *err);
void hone_landscape_fini(struct hone_landscape *landscape);

/* Expected least cost of m configurations drawn without replacement from count of which
 * valid have a cost; a draw of failures alone is as bad as the worst cost. */
double hone_random_best(const double *cost, size_t valid, size_t count, size_t m);

/* Evaluations that random search is expected to spend before it is within fraction of
 * the way from the optimum to the median, of count configurations. */
size_t hone_landscape_cutoff(const struct hone_landscape *landscape, size_t count,
                             double fraction);

/* Mean over the evaluations of (baseline - best) / (baseline - optimum): 0 is random
 * search, 1 an oracle. best[m - 1] is the best cost after m evaluations. NAN when the
 * baseline is never above the optimum. */
double hone_baseline_score(const struct hone_baseline *baseline, double optimum,
                           const double *best);

#endif
