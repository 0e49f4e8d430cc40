// Importance by a forest. Searches look at the good part more, so figures are of what the
// forest predicts for configurations drawn uniformly, not of the trials. Each tree grew
// from its own resample of the trials: the spread of their figures is the interval.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "hone/rng.h"
#include "importance_points.h"
#include "search/forest.h"

// How many trees, trials that a tree learns from, configurations, and of these those that
// are varied, with values of a parameter: bench and test hold the ranking that they give.
enum {
    TREES = 64,
    BAG_MOST = 2000,
    DRAWS = 1024,
    LINES = 256,
    VALUES_MOST = 64,
    EDGE = 1, // trees beyond each end of the interval: 1 of 64
    SEED = 1
};

// What each tree answers, and last the forest: the mean of them.
enum { ANSWERS = TREES + 1 };

struct answers {
    double of[ANSWERS];
};

struct estimate {
    const struct hone_points *points;
    struct hone_forest forest;
    struct hone_rng rng;
    uint64_t *draws; // [draw_count]
    size_t draw_count;
    uint16_t *row;         // [params]
    struct answers *at;    // [draw_count] what they say there
    struct answers *line;  // [VALUES_MOST]
    struct answers *means; // [values] of one parameter
    double *counts;        // [values]
    struct answers all;    // variance over the draws
};

static void ask(const struct estimate *e, const uint16_t *row, struct answers *out)
{
    float values[TREES];
    hone_forest_ask_each(&e->forest, row, values);
    out->of[TREES] = 0;
    for (size_t t = 0; t < TREES; t++) {
        out->of[t] = (double)values[t];
        out->of[TREES] += (double)values[t] / TREES;
    }
}

// The variance of each answer over rows, which count as much as weights say; NULL: the
// same.
static struct answers variance_of(const struct answers *rows, const double *weights,
                                  size_t count)
{
    struct answers mean = {{0}}, variance = {{0}};
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights ? weights[i] : 1;
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < ANSWERS; t++)
            mean.of[t] += (weights ? weights[i] : 1) / sum * rows[i].of[t];
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < ANSWERS; t++) {
            const double apart = rows[i].of[t] - mean.of[t];
            variance.of[t] += (weights ? weights[i] : 1) / sum * apart * apart;
        }
    return variance;
}

static void ask_draws(struct estimate *e)
{
    for (size_t i = 0; i < e->draw_count; i++) {
        hone_space_choices(e->points->space, e->draws[i], e->row);
        ask(e, e->row, &e->at[i]);
    }
    e->all = variance_of(e->at, NULL, e->draw_count);
}

// What is said of the valid configurations that differ from the row in parameter p.
static size_t ask_line(struct estimate *e, size_t p)
{
    const size_t values = hone_space_param(e->points->space, p)->count;
    const size_t step = (values + VALUES_MOST - 1) / VALUES_MOST;
    const uint16_t here = e->row[p];
    size_t n = 0;
    for (size_t v = here % step; v < values; v += step) {
        uint64_t index;
        e->row[p] = (uint16_t)v;
        if (hone_space_index(e->points->space, e->row, &index) == HONE_OK)
            ask(e, e->row, &e->line[n++]);
    }
    e->row[p] = here;
    return n;
}

static struct answers find_total(struct estimate *e, size_t p)
{
    struct answers total = {{0}};
    double lines = 0;
    for (size_t i = 0; i < e->draw_count && i < LINES; i++) {
        hone_space_choices(e->points->space, e->draws[i], e->row);
        const size_t n = ask_line(e, p);
        const struct answers variance = variance_of(e->line, NULL, n);
        lines += 1;
        for (size_t t = 0; n && t < ANSWERS; t++)
            total.of[t] += (variance.of[t] - total.of[t]) / lines;
    }
    return total;
}

static struct answers find_main(struct estimate *e, size_t p)
{
    const size_t values = hone_space_param(e->points->space, p)->count;
    memset(e->means, 0, values * sizeof *e->means);
    memset(e->counts, 0, values * sizeof *e->counts);
    for (size_t i = 0; i < e->draw_count; i++) {
        hone_space_choices(e->points->space, e->draws[i], e->row);
        const uint16_t v = e->row[p];
        e->counts[v] += 1;
        for (size_t t = 0; t < ANSWERS; t++)
            e->means[v].of[t] += (e->at[i].of[t] - e->means[v].of[t]) / e->counts[v];
    }
    return variance_of(e->means, e->counts, values);
}

static struct hone_share share_of(const struct estimate *e, const struct answers *part)
{
    double shares[ANSWERS];
    for (size_t t = 0; t < ANSWERS; t++)
        shares[t] = e->all.of[t] > 0 ? part->of[t] / e->all.of[t] : 0;
    const double value = shares[TREES];
    hone_sort_doubles(shares, TREES);
    return (struct hone_share){.value = value,
                               .low = fmin(value, shares[EDGE]),
                               .high = fmax(value, shares[TREES - 1 - EDGE])};
}

static bool open_estimate(struct estimate *e)
{
    const size_t most = hone_most_values(e->points->space), count = e->points->count;
    hone_rng_seed(&e->rng, SEED);
    hone_forest_init(&e->forest, e->points->params, TREES);
    e->forest.bag = count < BAG_MOST ? count : BAG_MOST;
    e->draws = calloc(DRAWS, sizeof *e->draws);
    e->row = calloc(e->points->params + 1, sizeof *e->row);
    e->at = calloc(DRAWS, sizeof *e->at);
    e->line = calloc(VALUES_MOST, sizeof *e->line);
    e->means = calloc(most, sizeof *e->means);
    e->counts = calloc(most, sizeof *e->counts);
    const bool ok = e->draws && e->row && e->at && e->line && e->means && e->counts &&
                    hone_forest_grow(&e->forest, e->points->rows, e->points->y, count,
                                     &e->rng, NULL) == HONE_OK;
    if (ok) e->draw_count = hone_space_sample(e->points->space, &e->rng, e->draws, DRAWS);
    return ok;
}

static void close_estimate(struct estimate *e)
{
    hone_forest_fini(&e->forest);
    free(e->draws);
    free(e->row);
    free(e->at);
    free(e->line);
    free(e->means);
    free(e->counts);
}

enum hone_status hone_importance_estimate(struct hone_effect *effects,
                                          const struct hone_points *points,
                                          struct hone_error *err)
{
    struct estimate e = {.points = points};
    const bool ok = open_estimate(&e);
    if (ok) ask_draws(&e);
    for (size_t p = 0; ok && p < points->params; p++) {
        if (hone_space_param(points->space, p)->count < 2) continue;
        const struct answers total = find_total(&e, p), main = find_main(&e, p);
        effects[p].total = share_of(&e, &total);
        effects[p].main = share_of(&e, &main);
    }
    close_estimate(&e);
    return ok ? HONE_OK : hone_no_memory(err, "for the importance of parameters");
}
