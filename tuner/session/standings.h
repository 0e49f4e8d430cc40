/* Who is fastest, from rounds in which everyone was measured once. Times of one round are
 * compared with each other only, so a clock that drifts from round to round cancels. */
#ifndef HONE_SESSION_STANDINGS_H
#define HONE_SESSION_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/trial.h"

/* costs[round * count + i]: contender i, NAN where it was not measured. base took
 * part in every round; times are compared through it. */
struct hone_rounds {
    const double *costs;
    size_t rounds, count, base;
};

/* The ratio of two contenders' times over the rounds that both were in. */
struct hone_ratio {
    size_t rounds;
    double median;
    double low, high; /* 95 % interval of the median by order statistics; 0 and INFINITY
                         below 6 rounds */
};

/* scratch holds as many doubles as there are rounds. A ratio of no rounds is {0, NAN, 0,
 * INFINITY}. */
struct hone_ratio hone_rounds_ratio(const struct hone_rounds *rounds, size_t a, size_t b,
                                    double *scratch);

struct hone_standing {
    struct hone_ratio to_base;
    struct hone_ratio to_best; /* of the best by to_base; {n, 1, 1, 1} of itself */
    double median;             /* of its own times */
    bool tied;                 /* as good as the best, as far as can be told */
};

/* standings[i] of contender i. Returns the best. Tied is who is at most half a percent
 * slower with an interval that holds 1. */
size_t hone_standings(const struct hone_rounds *rounds, struct hone_standing *standings,
                      double *scratch);

/* Sort contenders, best first, and number their ranks: the tied ones by registers, shared
 * memory and index, so that chance does not choose between equals, then the others by
 * ratio. order receives their numbers; trials supply the resources. */
void hone_standings_order(const struct hone_standing *standings,
                          const struct hone_trial *trials, size_t count, size_t *order);

#endif
