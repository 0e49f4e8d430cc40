#include "standings.h"

#include <math.h>

#include "base/sample_stats.h"

// A difference below this is not worth a choice: the target of the intervals, too.
static const double equal_ratio = 1.005;

struct hone_ratio hone_rounds_ratio(const struct hone_rounds *rounds, size_t a, size_t b,
                                    double *scratch)
{
    size_t n = 0;
    for (size_t r = 0; r < rounds->rounds; r++) {
        const double *row = &rounds->costs[r * rounds->count];
        const double ratio = row[a] / row[b];
        if (isfinite(ratio) && ratio > 0) scratch[n++] = ratio;
    }
    if (!n) return (struct hone_ratio){.median = (double)NAN, .high = (double)INFINITY};
    const struct hone_sample_stats stats = hone_sample_stats_of(scratch, n);
    return (struct hone_ratio){
        .rounds = n, .median = stats.median, .low = stats.low, .high = stats.high};
}

static double median_cost(const struct hone_rounds *rounds, size_t i, double *scratch)
{
    size_t n = 0;
    for (size_t r = 0; r < rounds->rounds; r++) {
        const double cost = rounds->costs[r * rounds->count + i];
        if (isfinite(cost)) scratch[n++] = cost;
    }
    return n ? hone_sample_stats_of(scratch, n).median : (double)NAN;
}

size_t hone_standings(const struct hone_rounds *rounds, struct hone_standing *standings,
                      double *scratch)
{
    size_t best = rounds->base;
    for (size_t i = 0; i < rounds->count; i++) {
        standings[i].to_base = hone_rounds_ratio(rounds, i, rounds->base, scratch);
        standings[i].median = median_cost(rounds, i, scratch);
    }
    for (size_t i = 0; i < rounds->count; i++)
        if (standings[i].to_base.median < standings[best].to_base.median) best = i;
    for (size_t i = 0; i < rounds->count; i++) {
        const struct hone_ratio ratio = hone_rounds_ratio(rounds, i, best, scratch);
        standings[i].to_best = ratio;
        standings[i].tied = i == best || (ratio.low <= 1 && ratio.median <= equal_ratio);
    }
    return best;
}

static int64_t shared_bytes(const struct hone_trial *trial)
{
    return (int64_t)trial->resources.static_shared_bytes +
           trial->resources.dynamic_shared_bytes;
}

static bool uses_less(const struct hone_trial *a, const struct hone_trial *b)
{
    if (a->resources.registers != b->resources.registers)
        return a->resources.registers < b->resources.registers;
    if (shared_bytes(a) != shared_bytes(b)) return shared_bytes(a) < shared_bytes(b);
    return a->index < b->index;
}

static bool is_before(const struct hone_standing *standings,
                      const struct hone_trial *trials, size_t a, size_t b)
{
    if (standings[a].tied != standings[b].tied) return standings[a].tied;
    if (standings[a].tied) return uses_less(&trials[a], &trials[b]);
    const double x = standings[a].to_base.median, y = standings[b].to_base.median;
    if (isnan(x) != isnan(y)) return isnan(y);
    if (x != y && !isnan(x)) return x < y;
    return trials[a].index < trials[b].index;
}

void hone_standings_order(const struct hone_standing *standings,
                          const struct hone_trial *trials, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at && is_before(standings, trials, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
