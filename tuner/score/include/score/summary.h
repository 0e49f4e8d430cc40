/* One strategy over several spaces: means, the worst space, and how far the mean score
 * could be off had other spaces of this kind been recorded. */
#ifndef HONE_SCORE_SUMMARY_H
#define HONE_SCORE_SUMMARY_H

#include "score/figures.h"

struct hone_interval {
    double low, high; /* of a 95 % bootstrap */
};

struct hone_summary {
    double score; /* mean over the spaces */
    struct hone_interval interval;
    double compatible, worst;
    size_t worst_space; /* place in figures */
    double ratio[HONE_MARK_COUNT], slowdown[HONE_MARK_COUNT], near[HONE_MARK_COUNT];
    double evaluations_to_near; /* spent by all runs / runs that got there; INFINITY */
    double cpu_us;
};

/* figures of the same strategy on each space; count > 0. The resamples repeat by seed. */
enum hone_status hone_summary_make(struct hone_summary *summary,
                                   const struct hone_figures *const *figures,
                                   size_t count, uint64_t seed, struct hone_error *err);

/* How far one strategy is ahead of another. Their runs are compared one by one, seed by
 * seed, and so are spaces: what both have in common is no part of the interval. */
struct hone_difference {
    double score; /* mean of a minus mean of b */
    struct hone_interval interval;
};

/* a and b: figures of the two strategies on the same spaces with the same repeats. */
enum hone_status hone_difference_make(struct hone_difference *difference,
                                      const struct hone_figures *const *a,
                                      const struct hone_figures *const *b, size_t count,
                                      uint64_t seed, struct hone_error *err);

#endif
