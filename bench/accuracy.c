#include "accuracy.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int by_predicted(const void *a, const void *b)
{
    const struct accuracy_pair *x = a, *y = b;
    return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

static int by_measured(const void *a, const void *b)
{
    const struct accuracy_pair *x = a, *y = b;
    return (x->measured > y->measured) - (x->measured < y->measured);
}

static struct accuracy_pair *sorted(const struct accuracy_pair *pairs, size_t count,
                                    int (*order)(const void *, const void *))
{
    struct accuracy_pair *copy = calloc(count + 1, sizeof *copy);
    if (!copy) return NULL;
    memcpy(copy, pairs, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, order);
    return copy;
}

// Mean rank of value among count: half of those that equal it stand before it.
static double rank(const struct accuracy_pair *pairs, size_t count, size_t i,
                   bool predicted)
{
    double below = 0.0, equal = 0.0;
    for (size_t k = 0; k < count; k++) {
        const double other = predicted ? pairs[k].predicted : pairs[k].measured;
        const double value = predicted ? pairs[i].predicted : pairs[i].measured;
        below += other < value;
        equal += !(other < value) && !(other > value);
    }
    return below + (equal + 1) / 2;
}

double accuracy_spearman(const struct accuracy_pair *pairs, size_t count)
{
    const double mean = ((double)count + 1) / 2;
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double x = rank(pairs, count, i, true) - mean;
        const double y = rank(pairs, count, i, false) - mean;
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : (double)NAN;
}

double accuracy_top(const struct accuracy_pair *pairs, size_t count, size_t k)
{
    struct accuracy_pair *order = sorted(pairs, count, by_predicted);
    double best = HUGE_VAL, chosen = HUGE_VAL;
    for (size_t i = 0; order && i < count; i++) {
        if (order[i].measured < best) best = order[i].measured;
        if (i < k && order[i].measured < chosen) chosen = order[i].measured;
    }
    free(order);
    return order ? best / chosen : (double)NAN;
}

// The i-th best is the best of the k with the probability that it is drawn and the i
// better ones are not: sampling without replacement.
double accuracy_random(const struct accuracy_pair *pairs, size_t count, size_t k)
{
    struct accuracy_pair *order = sorted(pairs, count, by_measured);
    double expected = 0.0, none_better = 1.0;
    for (size_t i = 0; order && i + k <= count; i++) {
        const double drawn = (double)k / (double)(count - i);
        expected += none_better * drawn * order[0].measured / order[i].measured;
        none_better *= 1 - drawn;
    }
    free(order);
    return order ? expected : (double)NAN;
}

double accuracy_scaled_error(const struct accuracy_pair *pairs, size_t count)
{
    double shift = 0.0, sum = 0.0;
    for (size_t i = 0; i < count; i++)
        shift += log(pairs[i].measured / pairs[i].predicted) / (double)count;
    for (size_t i = 0; i < count; i++)
        sum += fabs(pairs[i].predicted * exp(shift) / pairs[i].measured - 1);
    return sum / (double)count;
}
