// Extra trees with expected improvement: a surrogate that finds thresholds and
// interactions by itself. Trees know no believed samples: what is pending is skipped.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feasible.h"
#include "models.h"

enum { TREES = 16 };
static const double growth = 1.05; // of the samples, before trees are grown anew

struct trees {
    struct hone_forest forest;
    struct hone_feasible feasible;
    double best;
};

static enum hone_status trees_init(struct hone_model *model, struct hone_error *err)
{
    (void)err;
    struct trees *trees = model->priv;
    hone_forest_init(&trees->forest, model->samples.params, TREES);
    hone_feasible_init(&trees->feasible, model->samples.params);
    return HONE_OK;
}

static void trees_fini(struct hone_model *model)
{
    struct trees *trees = model->priv;
    hone_forest_fini(&trees->forest);
    hone_feasible_fini(&trees->feasible);
}

// The valid samples, with squeezed costs.
static size_t gather(const struct hone_model *model, uint16_t *rows, float *y)
{
    const struct hone_samples *samples = &model->samples;
    size_t n = 0;
    for (size_t i = 0; i < samples->count; i++) {
        if (!hone_samples_is_valid(samples, i)) continue;
        y[n] = (float)hone_model_squeeze(model, samples->y[i]);
        memcpy(rows + n++ * samples->params, hone_samples_row(samples, i),
               samples->params * sizeof *rows);
    }
    return n;
}

static bool grow(struct hone_model *model)
{
    struct trees *trees = model->priv;
    const struct hone_samples *samples = &model->samples;
    uint16_t *rows = calloc(samples->valid * samples->params + 1, sizeof *rows);
    float *y = calloc(samples->valid, sizeof *y);
    enum hone_status status = HONE_ENOMEM;
    if (rows && y) {
        const size_t n = gather(model, rows, y);
        status = hone_forest_grow(&trees->forest, rows, y, n, &model->rng, NULL);
    }
    free(rows);
    free(y);
    return status == HONE_OK;
}

static bool trees_fit(struct hone_model *model)
{
    struct trees *trees = model->priv;
    trees->best = hone_model_best(model);
    if (trees->forest.nodes && !hone_model_settle(model, growth)) return true;
    hone_model_settle(model, 0);
    return grow(model) &&
           hone_feasible_fit(&trees->feasible, &model->samples, &model->rng);
}

static void trees_predict(struct hone_model *model, const uint64_t *indices, size_t count,
                          struct hone_prediction *out)
{
    const struct trees *trees = model->priv;
    for (size_t i = 0; i < count; i++) {
        const uint16_t *row = hone_model_row(model, indices[i]);
        hone_forest_ask(&trees->forest, row, &out[i].mean, &out[i].sd);
        out[i].chance = hone_feasible_chance(&trees->feasible, row);
    }
}

static double worth(const struct hone_model *model, const struct hone_prediction *p)
{
    const struct trees *trees = model->priv;
    return p->chance * hone_expected_improvement(p->mean, p->sd, trees->best);
}

const struct hone_model_fns hone_model_trees = {
    .name = "trees",
    .priv_size = sizeof(struct trees),
    .init = trees_init,
    .fini = trees_fini,
    .fit = trees_fit,
    .predict = trees_predict,
    .worth = worth,
};
