// Random search in closed form. P(the best of m draws has rank > k) is the product over
// j < k of (n - j - m) / (n - j), for draws without replacement from n configurations.
#include "score/landscape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

// The score runs from where random search is 1 % of the way from the median to the
// optimum until it is 95 %: Willemsen et al., A methodology for comparing optimization
// algorithms for auto-tuning (2024), with the settings of their package.
static const double first_fraction = 0.99;

// Ranks less likely than this do not show in a double.
static const double negligible = 1e-18;

double hone_random_best(const double *cost, size_t valid, size_t count, size_t m)
{
    if (!m) return cost[valid - 1];
    double expected = cost[0], none = 1;
    for (size_t k = 1; k < valid && none > negligible; k++) {
        const size_t left = count - k + 1;
        if (left <= m) break; // so many draws cannot miss the k best
        none *= (double)(left - m) / (double)left;
        expected += none * (cost[k] - cost[k - 1]);
    }
    return expected;
}

// Kernel Tuner's methodology: the cost at rank round(m (n+1) / (m+1)) from the worst, of
// the valid configurations.
static double compatible_best(const struct hone_landscape *l, size_t m)
{
    const double n = (double)l->valid, draws = (double)m;
    size_t rank = (size_t)lround(draws * (n + 1) / (draws + 1));
    if (rank > l->valid) rank = l->valid;
    return l->cost[l->valid - (rank ? rank : 1)];
}

size_t hone_landscape_cutoff(const struct hone_landscape *l, size_t count,
                             double fraction)
{
    const double target = l->cost[0] + fraction * (l->median - l->cost[0]);
    size_t good = 0;
    while (good < l->valid && l->cost[good] <= target)
        good++;
    const size_t worse = count - good;
    return (worse + good) / (good + 1); // ceil(worse / (count + 1 - worse))
}

static enum hone_status baseline_init(struct hone_baseline *baseline,
                                      const struct hone_landscape *l, size_t count,
                                      size_t limit, struct hone_error *err)
{
    const size_t first = hone_landscape_cutoff(l, count, first_fraction);
    const size_t last = hone_landscape_cutoff(l, count, HONE_LAST_FRACTION);
    baseline->first = first ? first : 1;
    baseline->last = limit && limit < last ? limit : last;
    if (baseline->last < baseline->first) baseline->last = baseline->first;
    baseline->value = calloc(baseline->last + 1, sizeof *baseline->value);
    if (!baseline->value)
        return hone_no_memory(err, "for a baseline of %zu", baseline->last);
    baseline->value[0] = l->cost[l->valid - 1];
    return HONE_OK;
}

enum hone_status hone_landscape_init(struct hone_landscape *l, const double *costs,
                                     size_t count, size_t limit, struct hone_error *err)
{
    *l = (struct hone_landscape){.count = count};
    l->cost = malloc((count + 1) * sizeof *l->cost);
    if (!l->cost) return hone_no_memory(err, "for %zu costs", count);
    for (size_t i = 0; i < count; i++)
        if (isfinite(costs[i])) l->cost[l->valid++] = costs[i];
    if (!l->valid) {
        hone_landscape_fini(l);
        return hone_fail(err, HONE_EINPUT, "no configuration is valid");
    }
    hone_sort_doubles(l->cost, l->valid);
    l->median = hone_sorted_median(l->cost, l->valid);
    enum hone_status status = baseline_init(&l->exact, l, count, limit, err);
    if (status == HONE_OK)
        status = baseline_init(&l->compatible, l, l->valid, limit, err);
    if (status != HONE_OK) {
        hone_landscape_fini(l);
        return status;
    }
    for (size_t m = 1; m <= l->exact.last; m++)
        l->exact.value[m] = hone_random_best(l->cost, l->valid, count, m);
    for (size_t m = 1; m <= l->compatible.last; m++)
        l->compatible.value[m] = compatible_best(l, m);
    return HONE_OK;
}

void hone_landscape_fini(struct hone_landscape *landscape)
{
    free(landscape->cost);
    free(landscape->exact.value);
    free(landscape->compatible.value);
    memset(landscape, 0, sizeof *landscape);
}

double hone_baseline_score(const struct hone_baseline *baseline, double optimum,
                           const double *best)
{
    double sum = 0;
    size_t count = 0;
    for (size_t m = baseline->first; m <= baseline->last; m++) {
        const double room = baseline->value[m] - optimum;
        if (room <= 0) continue;
        sum += (baseline->value[m] - best[m - 1]) / room;
        count++;
    }
    return count ? sum / (double)count : (double)NAN;
}
