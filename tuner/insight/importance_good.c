// PED-ANOVA (Watanabe, Bansal, Hutter: PED-ANOVA, IJCAI 2023) by counts: how far the
// values of the best tenth are spread otherwise than those of all, by Pearson's
// divergence.
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "importance_points.h"

static const double best_share = 0.1;

// Parameter p; counts is room for twice its values.
static double divergence(const struct hone_points *points, size_t p, size_t values,
                         float limit, double *counts)
{
    double *good = counts + values, goods = 0, sum = 0;
    for (size_t v = 0; v < 2 * values; v++)
        counts[v] = 0;
    for (size_t i = 0; i < points->count; i++) {
        const uint16_t v = points->rows[i * points->params + p];
        counts[v] += 1;
        if (points->y[i] > limit) continue;
        good[v] += 1;
        goods += 1;
    }
    for (size_t v = 0; v < values; v++) {
        const double share = counts[v] / (double)points->count;
        if (share > 0) sum += share * pow(good[v] / goods / share - 1, 2);
    }
    return sum;
}

static enum hone_status find_limit(const struct hone_points *points, float *limit)
{
    double *sorted = calloc(points->count, sizeof *sorted);
    if (!sorted) return HONE_ENOMEM;
    for (size_t i = 0; i < points->count; i++)
        sorted[i] = (double)points->y[i];
    hone_sort_doubles(sorted, points->count);
    *limit = (float)sorted[(size_t)(best_share * (double)points->count)];
    free(sorted);
    return HONE_OK;
}

enum hone_status hone_importance_good(struct hone_effect *effects,
                                      const struct hone_points *points,
                                      struct hone_error *err)
{
    const size_t most = hone_most_values(points->space);
    float limit = 0;
    double sum = 0;
    double *counts = calloc(2 * most, sizeof *counts);
    const bool ok = counts && find_limit(points, &limit) == HONE_OK;
    for (size_t p = 0; ok && p < points->params; p++) {
        const size_t values = hone_space_param(points->space, p)->count;
        effects[p].good = divergence(points, p, values, limit, counts);
        sum += effects[p].good;
    }
    for (size_t p = 0; ok && sum > 0 && p < points->params; p++)
        effects[p].good /= sum;
    free(counts);
    return ok ? HONE_OK : hone_no_memory(err, "for the importance of parameters");
}
