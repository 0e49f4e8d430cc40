// What all kinds of models do alike: keep samples, believe and forget, rank a pool.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

static const struct hone_model_fns *const kinds[] = {
    &hone_model_regression, &hone_model_trees, &hone_model_gaussian};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const hone_model_kinds[] = {"regression", "trees", "gaussian", NULL};

static const struct hone_model_fns *find_kind(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}

enum hone_status hone_model_new(struct hone_model **out, const char *kind,
                                const struct hone_space *space, uint64_t seed,
                                struct hone_error *err)
{
    *out = NULL;
    const struct hone_model_fns *fns = find_kind(kind);
    if (!fns) return hone_fail(err, HONE_EINPUT, "there is no model '%s'", kind);
    struct hone_model *model = calloc(1, sizeof *model);
    if (!model) return hone_no_memory(err, "for a model");
    model->fns = fns;
    hone_rng_seed(&model->rng, seed);
    hone_samples_init(&model->samples, space);
    enum hone_status status = hone_candidates_init(&model->pool, space, err);
    model->priv = calloc(1, fns->priv_size);
    if (status == HONE_OK && !model->priv) status = hone_no_memory(err, "for a model");
    if (status == HONE_OK) status = fns->init(model, err);
    if (status == HONE_OK)
        *out = model;
    else
        hone_model_free(model);
    return status;
}

void hone_model_free(struct hone_model *model)
{
    if (!model) return;
    if (model->priv) model->fns->fini(model);
    free(model->priv);
    hone_candidates_fini(&model->pool);
    hone_history_fini(&model->told_set);
    hone_samples_fini(&model->samples);
    free(model);
}

void hone_model_expect(struct hone_model *model,
                       const struct hone_expectation *expectation)
{
    model->expectation = expectation;
}

// --- samples ---

static enum hone_status model_add(struct hone_model *model, uint64_t index, double cost,
                                  struct hone_error *err)
{
    if (index >= hone_space_count(model->samples.space))
        return hone_fail(err, HONE_EINPUT, "configuration %llu, the space has %llu",
                         (unsigned long long)index,
                         (unsigned long long)hone_space_count(model->samples.space));
    enum hone_status status = hone_samples_add(&model->samples, index, cost, err);
    if (status != HONE_OK) return status;
    model->fitted = false;
    return HONE_OK;
}

enum hone_status hone_model_tell(struct hone_model *model, uint64_t index, double cost,
                                 struct hone_error *err)
{
    hone_model_forget(model);
    enum hone_status status = hone_history_reserve(&model->told_set, 1, err);
    if (status == HONE_OK) status = model_add(model, index, cost, err);
    if (status != HONE_OK) return status;
    hone_history_set(&model->told_set, index, HONE_KNOWN_COST, 0);
    model->told = model->samples.count;
    return HONE_OK;
}

size_t hone_model_told(const struct hone_model *model)
{
    return model->told;
}

enum hone_status hone_model_believe(struct hone_model *model, uint64_t index,
                                    struct hone_error *err)
{
    struct hone_prediction p = {.mean = (double)NAN};
    hone_model_predict(model, &index, 1, &p);
    return model_add(model, index, exp(p.mean), err);
}

void hone_model_forget(struct hone_model *model)
{
    while (model->samples.count > model->told) {
        const size_t last = model->samples.count - 1;
        if (model->fns->remove) model->fns->remove(model, last);
        hone_samples_cut(&model->samples, last);
        model->fitted = false;
    }
}

bool hone_model_knows(const struct hone_model *model, uint64_t index)
{
    for (size_t i = model->told; i < model->samples.count; i++)
        if (model->samples.index[i] == index) return true;
    return hone_history_find(&model->told_set, index) != NULL;
}

// --- what kinds need ---

double hone_model_best(const struct hone_model *model)
{
    double best = HUGE_VAL;
    for (size_t i = 0; i < model->samples.count; i++)
        best = fmin(best, model->samples.y[i]); // fmin passes over NAN
    return best;
}

double hone_model_squeeze(const struct hone_model *model, double y)
{
    return hone_squeeze(y, model->median);
}

bool hone_model_settle(struct hone_model *model, double growth)
{
    const struct hone_samples *samples = &model->samples;
    if ((double)samples->count <= growth * (double)model->settled) return false;
    model->median = hone_samples_median(samples);
    model->settled = samples->count;
    return true;
}

const uint16_t *hone_model_row(struct hone_model *model, uint64_t index)
{
    hone_space_choices(model->samples.space, index, model->pool.moves.at);
    return model->pool.moves.at;
}

// --- asking ---

static bool ready(struct hone_model *model)
{
    if (!model->samples.valid) return false;
    if (!model->fitted) model->fitted = model->fns->fit(model);
    return model->fitted;
}

bool hone_model_predict(struct hone_model *model, const uint64_t *indices, size_t count,
                        struct hone_prediction *out)
{
    if (!ready(model)) return false;
    model->fns->predict(model, indices, count, out);
    for (size_t i = 0; i < count; i++)
        out[i].mean += log(model->samples.unit);
    return true;
}

// Leave in the pool what may be suggested.
static void sift(struct hone_model *model, hone_model_skip *skip, void *context)
{
    struct hone_candidates *pool = &model->pool;
    size_t kept = 0;
    for (size_t i = 0; i < pool->count; i++) {
        const uint64_t index = pool->items[i];
        if (hone_model_knows(model, index) || (skip && skip(context, index))) continue;
        pool->items[kept++] = index;
    }
    pool->count = kept;
}

bool hone_model_suggest_pooled(struct hone_model *model, hone_model_skip *skip,
                               void *context, uint64_t *out)
{
    struct hone_prediction predictions[HONE_CANDIDATES_MOST];
    hone_candidates_fill(&model->pool, &model->samples, &model->rng);
    sift(model, skip, context);
    model->fns->predict(model, model->pool.items, model->pool.count, predictions);
    double most = -HUGE_VAL;
    for (size_t i = 0; i < model->pool.count; i++) {
        const double worth = model->fns->worth(model, &predictions[i]);
        if (worth <= most) continue;
        most = worth;
        *out = model->pool.items[i];
    }
    return model->pool.count > 0;
}

bool hone_model_suggest(struct hone_model *model, hone_model_skip *skip, void *context,
                        uint64_t *out)
{
    if (!ready(model)) return false;
    if (model->fns->suggest) return model->fns->suggest(model, skip, context, out);
    return hone_model_suggest_pooled(model, skip, context, out);
}

double hone_expected_improvement(double mean, double sd, double best)
{
    const double gain = best - mean, z = gain / sd;
    if (!(sd > 0)) return gain > 0 ? gain : 0;
    const double density = exp(-0.5 * z * z) / sqrt(2 * acos(-1.0));
    return gain * 0.5 * erfc(-z / sqrt(2.0)) + sd * density;
}

// The gain, where there is one, and the density over 1 + z^2 (Gordon 1941, on Mills'
// ratio), with the first terms of its series for exp(z^2 / 2).
float hone_improvement_bound(float gain, float sd)
{
    const float z = gain / sd, h = 0.5F * z * z;
    const float series = 1 + h * (1 + h * (0.5F + h * (1.0F / 6)));
    return fmaxf(gain, 0) + 0.4F * sd / ((1 + 2 * h) * series);
}
