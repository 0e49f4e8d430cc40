#include "insight/by_value.h"

#include <math.h>
#include <stdlib.h>

struct valued {
    uint16_t value;
    double cost;
};

static int by_value_and_cost(const void *a, const void *b)
{
    const struct valued *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->cost > y->cost) - (x->cost < y->cost);
}

// Valid costs of each value stand together and rise.
static void find_figures(struct hone_value_figures *figures, const struct valued *sorted,
                         size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        struct hone_value_figures *f = &figures[sorted[i].value];
        for (end = i; end < count && sorted[end].value == sorted[i].value; end++)
            ;
        const size_t middle = i + (end - i) / 2;
        f->valid = end - i;
        f->best = sorted[i].cost;
        f->median = (end - i) % 2 ? sorted[middle].cost
                                  : (sorted[middle - 1].cost + sorted[middle].cost) / 2;
    }
}

enum hone_status hone_by_value(struct hone_value_figures **out,
                               const struct hone_recording *recording, size_t p,
                               struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(recording);
    const size_t n = hone_recording_count(recording);
    const size_t values = hone_space_param(space, p)->count;
    size_t count = 0;
    struct valued *sorted = calloc(n + 1, sizeof *sorted);
    uint16_t *row = calloc(hone_space_param_count(space) + 1, sizeof *row);
    struct hone_value_figures *figures = calloc(values, sizeof *figures);
    const bool ok = sorted && row && figures;
    for (size_t v = 0; ok && v < values; v++)
        figures[v].best = figures[v].median = INFINITY;
    for (size_t i = 0; ok && i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        const double cost = hone_trial_cost(trial);
        hone_space_choices(space, trial->index, row);
        if (isfinite(cost))
            sorted[count++] = (struct valued){row[p], cost};
        else
            figures[row[p]].failed++;
    }
    if (ok) {
        qsort(sorted, count, sizeof *sorted, by_value_and_cost);
        find_figures(figures, sorted, count);
    }
    free(sorted);
    free(row);
    *out = ok ? figures : NULL;
    if (!ok) free(figures);
    return ok ? HONE_OK : hone_no_memory(err, "for the values of a parameter");
}

enum hone_status hone_by_pair(double **out, const struct hone_recording *recording,
                              size_t p, size_t q, struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(recording);
    const size_t columns = hone_space_param(space, q)->count;
    const size_t cells = hone_space_param(space, p)->count * columns;
    double *best = calloc(cells, sizeof *best);
    uint16_t *row = calloc(hone_space_param_count(space) + 1, sizeof *row);
    const bool ok = best && row;
    for (size_t i = 0; ok && i < cells; i++)
        best[i] = INFINITY;
    for (size_t i = 0; ok && i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        hone_space_choices(space, trial->index, row);
        double *cell = &best[row[p] * columns + row[q]];
        *cell = fmin(*cell, hone_trial_cost(trial));
    }
    free(row);
    *out = ok ? best : NULL;
    if (!ok) free(best);
    return ok ? HONE_OK : hone_no_memory(err, "for pairs of parameters");
}
