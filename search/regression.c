// Kernel regression (Nadaraya 1964, Watson 1964): the cost of a configuration is the mean
// of the known ones, weighted by exp(-d / width) where d parameters differ. In spaces
// small enough every configuration is a candidate (table.h), else those of the pool. What
// to try is decided by the lower confidence bound (Auer, Cesa-Bianchi, Fischer: Finite-
// time analysis of the multiarmed bandit problem, 2002).
#include <math.h>
#include <stdlib.h>

#include "models.h"
#include "table.h"

enum { SAMPLES_MOST = 300 }; // that count where there is no table: the newest

// Chosen on recorded spaces, see docs/strategies.md.
static const double width = 0.4, growth = 1.2;
static const float prior = 0.01F; // weight of the mean of all samples
// Standard deviations of the bound. Every fourth suggestion is bold: without it a run in
// twenty dug on where the first fast samples happened to be.
static const float kappa = 1, kappa_bold = 2;
enum { BOLD_EVERY = 4 };

struct regression {
    struct hone_table table; // without columns where the space is too large
    bool has_table;
    size_t taken;               // samples in the table: they wait until somebody asks
    float *kernel;              // [params + 1]
    float mean, spread, chance; // of all samples: y, and the share that is valid
    unsigned turn;              // of suggestions
    float kappa;                // of this one
};

// What a candidate is judged by.
struct sums {
    float weight, sum, failures;
};

static void get_moments(struct hone_model *model)
{
    struct regression *r = model->priv;
    const struct hone_samples *samples = &model->samples;
    double sum = 0, squares = 0;
    const double n = (double)samples->valid;
    for (size_t i = 0; i < samples->count; i++) {
        if (!hone_samples_is_valid(samples, i)) continue;
        const double y = hone_model_squeeze(model, samples->y[i]);
        sum += y;
        squares += y * y;
    }
    r->mean = (float)(sum / n);
    r->spread = (float)sqrt(fmax(squares / n - sum / n * (sum / n), 0));
    r->chance = (float)(n / (double)samples->count);
}

static enum hone_status regression_init(struct hone_model *model, struct hone_error *err)
{
    struct regression *r = model->priv;
    const struct hone_space *space = model->samples.space;
    const size_t params = hone_space_param_count(space);
    r->kernel = calloc(params + 1, sizeof *r->kernel);
    if (!r->kernel) return hone_no_memory(err, "for a model");
    for (size_t d = 0; d <= params; d++)
        r->kernel[d] = (float)exp(-(double)d / width);
    r->has_table = hone_space_count(space) <= HONE_TABLE_MOST;
    return r->has_table ? hone_table_init(&r->table, space, err) : HONE_OK;
}

static void regression_fini(struct hone_model *model)
{
    struct regression *r = model->priv;
    hone_table_fini(&r->table);
    free(r->kernel);
}

static void spread_sample(struct hone_model *model, size_t i, float times)
{
    struct regression *r = model->priv;
    const double y = hone_model_squeeze(model, model->samples.y[i]);
    hone_table_add(&r->table, model->samples.index[i], y, times, r->kernel);
}

static void take_back(struct hone_model *model, size_t i)
{
    struct regression *r = model->priv;
    if (i >= r->taken) return;
    spread_sample(model, i, -1);
    r->taken = i;
}

// A median that moved changes what slow samples count, so all sums are made anew.
static bool regression_fit(struct hone_model *model)
{
    struct regression *r = model->priv;
    if (hone_model_settle(model, growth) && r->has_table) {
        hone_table_clear(&r->table);
        r->taken = 0;
    }
    for (; r->has_table && r->taken < model->samples.count; r->taken++)
        spread_sample(model, r->taken, 1);
    get_moments(model);
    return true;
}

static struct sums sums_at(struct hone_model *model, uint64_t index)
{
    const struct regression *r = model->priv;
    const struct hone_samples *samples = &model->samples;
    const size_t n = samples->count, params = samples->params;
    struct sums sums = {0};
    if (r->has_table)
        return (struct sums){r->table.weights[index], r->table.sums[index],
                             r->table.failures[index]};
    const uint16_t *row = hone_model_row(model, index);
    for (size_t i = n > SAMPLES_MOST ? n - SAMPLES_MOST : 0; i < n; i++) {
        const uint16_t *other = hone_samples_row(samples, i);
        size_t differ = 0;
        for (size_t p = 0; p < params; p++)
            differ += row[p] != other[p];
        const float weight = r->kernel[differ];
        const bool valid = hone_samples_is_valid(samples, i);
        sums.weight += valid ? weight : 0;
        sums.failures += valid ? 0 : weight;
        if (valid) sums.sum += weight * (float)hone_model_squeeze(model, samples->y[i]);
    }
    return sums;
}

static float mean_of(const struct regression *r, struct sums s)
{
    return (prior * r->mean + s.sum) / (prior + s.weight);
}

// Each sample of weight 1 nearby counts as 8 independent ones.
static float sd_of(const struct regression *r, struct sums s)
{
    return r->spread / sqrtf(1 + 8 * s.weight);
}

static float chance_of(const struct regression *r, struct sums s)
{
    return (prior * r->chance + s.weight) / (prior + s.weight + s.failures);
}

static void regression_predict(struct hone_model *model, const uint64_t *indices,
                               size_t count, struct hone_prediction *out)
{
    const struct regression *r = model->priv;
    for (size_t i = 0; i < count; i++) {
        const struct sums sums = sums_at(model, indices[i]);
        out[i] = (struct hone_prediction){.mean = (double)mean_of(r, sums),
                                          .sd = (double)sd_of(r, sums),
                                          .chance = (double)chance_of(r, sums)};
    }
}

static double worth(const struct hone_model *model, const struct hone_prediction *p)
{
    const struct regression *r = model->priv;
    const double gain =
        (double)(r->mean + r->spread) - p->mean + (double)r->kappa * p->sd;
    return gain * p->chance;
}

// The most worth in the table, apart from what is known.
static bool best_of_table(const struct regression *r, uint64_t *out)
{
    const struct hone_table *table = &r->table;
    const float top = r->mean + r->spread;
    float most = -HUGE_VALF;
    for (size_t x = 0; x < table->count; x++) {
        const struct sums s = {table->weights[x], table->sums[x], table->failures[x]};
        const float gain = top - mean_of(r, s) + r->kappa * sd_of(r, s);
        const float here = gain * chance_of(r, s);
        if (here <= most || table->known[x]) continue;
        most = here;
        *out = x;
    }
    return most > -HUGE_VALF;
}

static bool suggest(struct hone_model *model, hone_model_skip *skip, void *context,
                    uint64_t *out)
{
    struct regression *r = model->priv;
    r->kappa = r->turn++ % BOLD_EVERY == BOLD_EVERY - 1 ? kappa_bold : kappa;
    if (!r->has_table) return hone_model_suggest_pooled(model, skip, context, out);
    while (best_of_table(r, out)) {
        if (!skip || !skip(context, *out)) return true;
        r->table.known[*out] = true;
    }
    return false;
}

const struct hone_model_fns hone_model_regression = {
    .name = "regression",
    .priv_size = sizeof(struct regression),
    .init = regression_init,
    .fini = regression_fini,
    .remove = take_back,
    .fit = regression_fit,
    .predict = regression_predict,
    .worth = worth,
    .suggest = suggest,
};
