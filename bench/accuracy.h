/* How good predictions are, in the terms that matter to a tuner: order first, then what
 * is lost by trusting them, then scale. Pure functions of two lists of times. */
#ifndef HONE_ACCURACY_H
#define HONE_ACCURACY_H

#include <stddef.h>

struct accuracy_pair {
    double predicted, measured; /* times, > 0 */
};

/* Spearman's rank correlation, equal values sharing their mean rank; NAN for fewer than
 * two pairs or where one side is constant. */
double accuracy_spearman(const struct accuracy_pair *pairs, size_t count);

/* The best measured time of all, as a part of the best among the k that are predicted
 * fastest: 1 when the optimum is among them. */
double accuracy_top(const struct accuracy_pair *pairs, size_t count, size_t k);

/* What choosing k at random gives instead, on average. */
double accuracy_random(const struct accuracy_pair *pairs, size_t count, size_t k);

/* Mean absolute error, as a part of the measured time, after the predictions were scaled
 * by the one factor that is best in logarithms. */
double accuracy_scaled_error(const struct accuracy_pair *pairs, size_t count);

#endif
