/* What importance is computed of: configurations with a cost, and the space that they are
 * of. */
#ifndef HONE_INSIGHT_IMPORTANCE_POINTS_H
#define HONE_INSIGHT_IMPORTANCE_POINTS_H

#include "insight/importance.h"

struct hone_points {
    const struct hone_space *space; /* to draw from */
    size_t params, count;
    const uint16_t *rows; /* [count][params] value numbers, the same in space */
    const float *y;       /* [count] logarithm of the cost */
};

/* Values of the parameter that has the most; at least 1. */
size_t hone_most_values(const struct hone_space *space);

/* The figures of a forest that has learnt from the points; effects is [params] of
 * zeros. */
enum hone_status hone_importance_estimate(struct hone_effect *effects,
                                          const struct hone_points *points,
                                          struct hone_error *err);

/* The figures of a recording that is a whole space. */
enum hone_status hone_importance_exact(struct hone_effect *effects,
                                       const struct hone_recording *recording,
                                       struct hone_error *err);

/* What tells the best tenth of the points from all, summing to 1; the rest of effects is
 * left as it is. */
enum hone_status hone_importance_good(struct hone_effect *effects,
                                      const struct hone_points *points,
                                      struct hone_error *err);

#endif
