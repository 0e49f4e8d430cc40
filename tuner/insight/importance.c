#include "insight/importance.h"

#include <math.h>
#include <stdlib.h>

#include "importance_points.h"
#include "insight/journal_space.h"

const char *hone_importance_kind_name(enum hone_importance_kind kind)
{
    static const char *const names[] = {[HONE_IMPORTANCE_NONE] = "none",
                                        [HONE_IMPORTANCE_EXACT] = "exact",
                                        [HONE_IMPORTANCE_ESTIMATED] = "estimated"};
    return names[kind];
}

struct gathered {
    uint16_t *rows;
    float *y;
    struct hone_points points;
};

size_t hone_most_values(const struct hone_space *space)
{
    size_t most = 1;
    for (size_t p = 0; p < hone_space_param_count(space); p++)
        if (hone_space_param(space, p)->count > most)
            most = hone_space_param(space, p)->count;
    return most;
}

static enum hone_status gather_costs(struct gathered *g,
                                     const struct hone_recording *recording,
                                     struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(recording);
    const size_t n = hone_recording_count(recording);
    const size_t params = hone_space_param_count(space);
    size_t count = 0;
    double unit = 0;
    g->rows = calloc(n * params + 1, sizeof *g->rows);
    g->y = calloc(n + 1, sizeof *g->y);
    if (!g->rows || !g->y) return hone_no_memory(err, "for %zu trials", n);
    for (size_t i = 0; i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        const double cost = hone_trial_cost(trial);
        if (!(cost > 0) || !isfinite(cost)) continue;
        if (!count) unit = cost;
        hone_space_choices(space, trial->index, g->rows + count * params);
        g->y[count++] = (float)log(cost / unit);
    }
    g->points = (struct hone_points){
        .space = space, .params = params, .count = count, .rows = g->rows, .y = g->y};
    return HONE_OK;
}

static bool all_equal(const struct hone_points *points)
{
    for (size_t i = 1; i < points->count; i++)
        if (points->y[i] != points->y[0]) return false;
    return true;
}

static enum hone_status estimate(struct hone_importance *out,
                                 const struct hone_recording *recording,
                                 const struct hone_space *space,
                                 const struct hone_points *points, struct hone_error *err)
{
    struct hone_points drawn = *points;
    struct hone_space *made = NULL;
    enum hone_status status =
        space ? HONE_OK : hone_journal_space(&made, hone_recording_info(recording), err);
    if (made) space = made;
    if (space) drawn.space = space;
    if (status == HONE_OK) status = hone_importance_estimate(out->params, &drawn, err);
    hone_space_free(made);
    return status;
}

static void rank(struct hone_importance *out, const struct hone_space *space)
{
    for (size_t p = 0; p < out->param_count; p++) {
        if (hone_space_param(space, p)->count < 2) continue;
        size_t at = out->order_count++;
        for (; at &&
               out->params[out->order[at - 1]].total.value < out->params[p].total.value;
             at--)
            out->order[at] = out->order[at - 1];
        out->order[at] = p;
    }
}

static enum hone_status measure_effects(struct hone_importance *out,
                                        const struct hone_recording *recording,
                                        const struct hone_space *space,
                                        const struct hone_points *points,
                                        struct hone_error *err)
{
    const bool exact = hone_recording_info(recording)->complete;
    out->params = calloc(points->params + 1, sizeof *out->params);
    out->order = calloc(points->params + 1, sizeof *out->order);
    if (!out->params || !out->order)
        return hone_no_memory(err, "for the importance of parameters");
    for (size_t p = 0; p < points->params; p++)
        out->params[p].good = NAN;
    enum hone_status status = exact ? hone_importance_exact(out->params, recording, err)
                                    : estimate(out, recording, space, points, err);
    if (status == HONE_OK && points->count >= HONE_IMPORTANCE_GOOD_LEAST)
        status = hone_importance_good(out->params, points, err);
    out->kind = exact ? HONE_IMPORTANCE_EXACT : HONE_IMPORTANCE_ESTIMATED;
    rank(out, points->space);
    return status;
}

enum hone_status hone_importance_make(struct hone_importance *out,
                                      const struct hone_recording *recording,
                                      const struct hone_space *space,
                                      struct hone_error *err)
{
    struct gathered g = {0};
    *out = (struct hone_importance){0};
    enum hone_status status = gather_costs(&g, recording, err);
    out->trials = g.points.count;
    out->param_count = g.points.params;
    if (status == HONE_OK && out->trials >= HONE_IMPORTANCE_LEAST &&
        !all_equal(&g.points))
        status = measure_effects(out, recording, space, &g.points, err);
    free(g.rows);
    free(g.y);
    return status;
}

void hone_importance_fini(struct hone_importance *importance)
{
    free(importance->params);
    free(importance->order);
    importance->params = NULL;
    importance->order = NULL;
}
