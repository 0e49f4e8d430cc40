// Importance in a space whose configurations are all known: no model, no draw.
#include <math.h>
#include <stdlib.h>

#include "importance_points.h"

struct moments {
    double count, sum, squares;
};

struct exact {
    const struct hone_recording *recording;
    const struct hone_space *space;
    size_t params;
    uint16_t *row;
    struct moments all;
    struct moments *by_value; // of one parameter
};

static void moments_add(struct moments *m, double y)
{
    m->count += 1;
    m->sum += y;
    m->squares += y * y;
}

static double variance(const struct moments *m)
{
    if (m->count < 2) return 0;
    const double mean = m->sum / m->count;
    return fmax(m->squares / m->count - mean * mean, 0);
}

// The logarithm of what a configuration costs; false where it failed or is none.
static bool log_cost(const struct exact *e, uint64_t index, double *y)
{
    const struct hone_trial *trial = hone_recording_find(e->recording, index);
    const double cost = trial ? hone_trial_cost(trial) : (double)INFINITY;
    *y = log(cost);
    return cost > 0 && isfinite(cost);
}

// The variance over the values of parameter p, the others being those of e->row.
static double variance_along(struct exact *e, size_t p)
{
    const size_t values = hone_space_param(e->space, p)->count;
    const uint16_t here = e->row[p];
    struct moments line = {0};
    for (size_t v = 0; v < values; v++) {
        uint64_t index;
        double y;
        e->row[p] = (uint16_t)v;
        if (hone_space_index(e->space, e->row, &index) == HONE_OK &&
            log_cost(e, index, &y))
            moments_add(&line, y);
    }
    e->row[p] = here;
    return variance(&line);
}

static double variance_of_means(const struct exact *e, size_t values)
{
    const double mean = e->all.sum / e->all.count;
    double sum = 0;
    for (size_t v = 0; v < values; v++) {
        const struct moments *m = &e->by_value[v];
        if (m->count > 0) sum += m->count * pow(m->sum / m->count - mean, 2);
    }
    return sum / e->all.count;
}

static struct hone_share exact_share(double part, double whole)
{
    const double share = whole > 0 ? part / whole : 0;
    return (struct hone_share){share, share, share};
}

static void measure_param(struct exact *e, struct hone_effect *effect, size_t p)
{
    const size_t values = hone_space_param(e->space, p)->count;
    double total = 0, y;
    if (values < 2) return;
    for (size_t v = 0; v < values; v++)
        e->by_value[v] = (struct moments){0};
    for (size_t i = 0; i < hone_recording_count(e->recording); i++) {
        const uint64_t index = hone_recording_trial(e->recording, i)->index;
        if (!log_cost(e, index, &y)) continue;
        hone_space_choices(e->space, index, e->row);
        moments_add(&e->by_value[e->row[p]], y);
        total += variance_along(e, p);
    }
    const double all = variance(&e->all);
    effect->total = exact_share(total / e->all.count, all);
    effect->main = exact_share(variance_of_means(e, values), all);
}

enum hone_status hone_importance_exact(struct hone_effect *effects,
                                       const struct hone_recording *recording,
                                       struct hone_error *err)
{
    struct exact e = {.recording = recording, .space = hone_recording_space(recording)};
    double y;
    e.params = hone_space_param_count(e.space);
    e.row = calloc(e.params + 1, sizeof *e.row);
    e.by_value = calloc(hone_most_values(e.space), sizeof *e.by_value);
    const bool ok = e.row && e.by_value;
    for (size_t i = 0; ok && i < hone_recording_count(recording); i++)
        if (log_cost(&e, hone_recording_trial(recording, i)->index, &y))
            moments_add(&e.all, y);
    for (size_t p = 0; ok && p < e.params; p++)
        measure_param(&e, &effects[p], p);
    free(e.row);
    free(e.by_value);
    return ok ? HONE_OK : hone_no_memory(err, "for the importance of parameters");
}
