// A Gaussian process with expected improvement. It is fitted to few samples, the fastest
// and the newest: its time grows with the cube of their number, and what is slow and old
// says little of what to try next.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feasible.h"
#include "gaussian.h"
#include "models.h"

enum { SAMPLES_MOST = 64 };
static const double growth = 1.05; // of the samples, before the length scale is chosen

struct process {
    struct hone_gaussian gaussian;
    struct hone_feasible feasible;
    double best;
    size_t chosen[SAMPLES_MOST];
    uint16_t *rows; // [HONE_POOL_MOST][params]
};

static enum hone_status init(struct hone_model *model, struct hone_error *err)
{
    struct process *process = model->priv;
    const size_t params = model->samples.params;
    hone_feasible_init(&process->feasible, params);
    process->rows = calloc(HONE_POOL_MOST * params + 1, sizeof *process->rows);
    if (!process->rows) return hone_fail(err, HONE_ENOMEM, "out of memory for a model");
    return hone_gaussian_init(&process->gaussian, model->samples.space, SAMPLES_MOST,
                              err);
}

static void fini(struct hone_model *model)
{
    struct process *process = model->priv;
    hone_gaussian_fini(&process->gaussian);
    hone_feasible_fini(&process->feasible);
    free(process->rows);
}

static bool is_faster(const struct hone_samples *samples, size_t a, size_t b)
{
    const double x = samples->y[a], y = samples->y[b];
    return x < y || (x == y && samples->index[a] < samples->index[b]);
}

// The newest half, then the fastest of the rest; all where there are few.
static size_t choose(struct process *process, const struct hone_samples *samples)
{
    size_t n = 0, i = samples->count;
    for (; i > 0 && (n < SAMPLES_MOST / 2 || samples->valid <= SAMPLES_MOST); i--)
        if (hone_samples_is_valid(samples, i - 1)) process->chosen[n++] = i - 1;
    const size_t first = n;
    while (i-- > 0) {
        if (!hone_samples_is_valid(samples, i)) continue;
        size_t place = n;
        while (place > first && is_faster(samples, i, process->chosen[place - 1]))
            place--;
        if (place == SAMPLES_MOST) continue;
        if (n < SAMPLES_MOST) n++;
        memmove(process->chosen + place + 1, process->chosen + place,
                (n - 1 - place) * sizeof *process->chosen);
        process->chosen[place] = i;
    }
    return n;
}

static bool fit(struct hone_model *model)
{
    struct process *process = model->priv;
    const struct hone_samples *samples = &model->samples;
    double y[SAMPLES_MOST];
    const bool tune = hone_model_settle(model, growth);
    const size_t n = choose(process, samples);
    for (size_t i = 0; i < n; i++) {
        const size_t sample = process->chosen[i];
        y[i] = hone_model_squeeze(model, samples->y[sample]);
        memcpy(process->rows + i * samples->params, hone_samples_row(samples, sample),
               samples->params * sizeof *process->rows);
    }
    hone_gaussian_fit(&process->gaussian, process->rows, y, n, tune);
    process->best = hone_model_best(model);
    return hone_feasible_fit(&process->feasible, samples, &model->rng);
}

static void predict_some(struct hone_model *model, const uint64_t *indices, size_t count,
                         struct hone_prediction *out)
{
    struct process *process = model->priv;
    const size_t params = model->samples.params;
    double mean[HONE_POOL_MOST], sd[HONE_POOL_MOST];
    for (size_t i = 0; i < count; i++)
        hone_space_choices(model->samples.space, indices[i], process->rows + i * params);
    hone_gaussian_ask(&process->gaussian, process->rows, count, mean, sd);
    for (size_t i = 0; i < count; i++)
        out[i] =
            (struct hone_prediction){.mean = mean[i],
                                     .sd = sd[i],
                                     .chance = hone_feasible_chance(
                                         &process->feasible, process->rows + i * params)};
}

static void predict(struct hone_model *model, const uint64_t *indices, size_t count,
                    struct hone_prediction *out)
{
    for (size_t i = 0; i < count; i += HONE_POOL_MOST)
        predict_some(model, indices + i,
                     count - i < HONE_POOL_MOST ? count - i : HONE_POOL_MOST, out + i);
}

static double worth(const struct hone_model *model, const struct hone_prediction *p)
{
    const struct process *process = model->priv;
    return p->chance * hone_expected_improvement(p->mean, p->sd, process->best);
}

const struct hone_model_fns hone_model_gaussian = {
    .name = "gaussian",
    .priv_size = sizeof(struct process),
    .init = init,
    .fini = fini,
    .fit = fit,
    .predict = predict,
    .worth = worth,
};
