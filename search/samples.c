// Rows are kept side by side, so that models go through them without a detour.
#include "samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/sort.h"

enum { ROOM_FIRST = 64 };

void hone_samples_init(struct hone_samples *samples, const struct hone_space *space)
{
    *samples =
        (struct hone_samples){.space = space, .params = hone_space_param_count(space)};
}

void hone_samples_fini(struct hone_samples *samples)
{
    free(samples->index);
    free(samples->choices);
    free(samples->y);
    *samples = (struct hone_samples){0}; // the space may be gone by now
}

static enum hone_status grow(struct hone_samples *samples, struct hone_error *err)
{
    const size_t need = samples->count + 1;
    size_t index_cap = samples->cap;
    size_t choices_cap = index_cap, y_cap = index_cap;
    if (!HONE_GROW(&samples->index, &index_cap, need, ROOM_FIRST) ||
        !hone_grow(&samples->choices, &choices_cap, need, ROOM_FIRST,
                   samples->params * sizeof *samples->choices) ||
        !HONE_GROW(&samples->y, &y_cap, need, ROOM_FIRST))
        return hone_no_memory(err, "for %zu samples", need);
    samples->cap = y_cap;
    return HONE_OK;
}

enum hone_status hone_samples_add(struct hone_samples *samples, uint64_t index,
                                  double cost, struct hone_error *err)
{
    if (samples->count == samples->cap) {
        enum hone_status status = grow(samples, err);
        if (status != HONE_OK) return status;
    }
    const size_t i = samples->count++;
    samples->index[i] = index;
    if (cost > 0 && !samples->valid) samples->unit = cost;
    samples->y[i] = cost > 0 ? log(cost / samples->unit) : (double)NAN;
    samples->valid += hone_samples_is_valid(samples, i);
    hone_space_choices(samples->space, index, samples->choices + i * samples->params);
    return HONE_OK;
}

void hone_samples_cut(struct hone_samples *samples, size_t count)
{
    while (samples->count > count)
        samples->valid -= hone_samples_is_valid(samples, --samples->count);
}

const uint16_t *hone_samples_row(const struct hone_samples *samples, size_t i)
{
    assert(i < samples->count);
    return samples->choices + i * samples->params;
}

bool hone_samples_is_valid(const struct hone_samples *samples, size_t i)
{
    return !isnan(samples->y[i]);
}

double hone_squeeze(double y, double median)
{
    // docs/strategies.md says what a tenth gains.
    return y > median ? median + 0.1 * (y - median) : y;
}

double hone_upper_median(double *values, size_t n)
{
    hone_sort_doubles(values, n);
    return n ? values[n / 2] : 0;
}

double hone_samples_median(const struct hone_samples *samples)
{
    double *sorted = calloc(samples->valid + 1, sizeof *sorted);
    if (!sorted) return 0;
    size_t n = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (hone_samples_is_valid(samples, i)) sorted[n++] = samples->y[i];
    const double median = hone_upper_median(sorted, n);
    free(sorted);
    return median;
}
