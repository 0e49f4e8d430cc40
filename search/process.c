// A Gaussian process with expected improvement over a field of candidates. Its time grows
// with the square of its samples, so there are few: when they are too many, the fastest
// and the newest half stay. What is slow and old says little of what to try next.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feasible.h"
#include "field.h"
#include "models.h"
#include "scales.h"

enum {
    SAMPLES_MOST = 96,
    SAMPLES_KEPT = 48, // when they were too many
    SCALES_FROM = 4,   // samples
    SCALES_MOST = 64,  // samples that scales are chosen by
    RING_MOST = 64     // neighbours of one of the best, that become candidates
};
static const double median_growth = 1.2; // of the samples, before it is taken anew
static const double scales_growth = 1.3; // and before scales are, until they are too many

// What improves by less than this part of the standard deviation of all does not count:
// without it early suggestions stay where the first fast samples are.
static const double margin = 0.15;

struct process {
    struct hone_gaussian gaussian;
    struct hone_field field;
    struct hone_feasible feasible;
    size_t used[SAMPLES_MOST]; // numbers of the samples, ascending
    size_t seen;               // samples of the model
    size_t scaled;             // and when scales were chosen
    bool was_full;
    double usual; // median of what was expected of the samples
    double goal;  // to improve on
    size_t ringed[HONE_CANDIDATES_ELITE];
};

static enum hone_status process_init(struct hone_model *model, struct hone_error *err)
{
    struct process *process = model->priv;
    const struct hone_space *space = model->samples.space;
    hone_feasible_init(&process->feasible, model->samples.params);
    for (size_t i = 0; i < HONE_CANDIDATES_ELITE; i++)
        process->ringed[i] = SIZE_MAX;
    enum hone_status status =
        hone_gaussian_init(&process->gaussian, space, SAMPLES_MOST, err);
    if (status != HONE_OK) return status;
    return hone_field_init(&process->field, space, &process->gaussian, err);
}

static void process_fini(struct hone_model *model)
{
    struct process *process = model->priv;
    hone_field_fini(&process->field);
    hone_gaussian_fini(&process->gaussian);
    hone_feasible_fini(&process->feasible);
}

// --- samples ---

static bool is_faster(const struct hone_samples *samples, size_t a, size_t b)
{
    const double x = samples->y[a], y = samples->y[b];
    return x < y || (x == y && samples->index[a] < samples->index[b]);
}

static int by_number(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

// Thins n ascending sample numbers to the newest half of most and the fastest of the
// rest; returns how many are left.
static size_t thin(size_t *numbers, size_t n, size_t most,
                   const struct hone_samples *samples)
{
    if (n <= most) return n;
    const size_t newest = most / 2, old = n - newest;
    for (size_t i = 0; i < most - newest; i++) {
        size_t fastest = i;
        for (size_t j = i + 1; j < old; j++)
            if (is_faster(samples, numbers[j], numbers[fastest])) fastest = j;
        const size_t swap = numbers[i];
        numbers[i] = numbers[fastest];
        numbers[fastest] = swap;
    }
    memmove(numbers + (most - newest), numbers + old, newest * sizeof *numbers);
    qsort(numbers, most, sizeof *numbers, by_number);
    return most;
}

static double squeezed(const struct hone_model *model, size_t sample)
{
    return hone_model_squeeze(model, model->samples.y[sample]);
}

static double trend_at(const struct hone_model *model, uint64_t index,
                       const uint16_t *row)
{
    const struct process *process = model->priv;
    if (!model->expectation) return 0;
    return hone_squeeze(hone_expectation_at(model->expectation, index, row),
                        process->usual);
}

static double trend_of(const struct hone_model *model, size_t sample)
{
    return trend_at(model, model->samples.index[sample],
                    hone_samples_row(&model->samples, sample));
}

static void take_in(struct hone_model *model, size_t i)
{
    struct process *process = model->priv;
    const size_t sample = process->used[i];
    hone_gaussian_add(&process->gaussian, hone_samples_row(&model->samples, sample),
                      squeezed(model, sample), trend_of(model, sample));
}

// Use these samples only, with whatever scales there are now.
static void rebuild(struct hone_model *model, size_t count)
{
    struct process *process = model->priv;
    hone_gaussian_cut(&process->gaussian, 0);
    hone_field_cut(&process->field, 0);
    for (size_t i = 0; i < count; i++)
        take_in(model, i);
}

// All parts of the field are made anew, so it may as well look elsewhere.
static void draw_candidates(struct hone_model *model)
{
    struct process *process = model->priv;
    if (process->field.whole) return;
    hone_field_draw(&process->field, &process->gaussian, &model->rng);
    for (size_t i = 0; i < HONE_CANDIDATES_ELITE; i++)
        process->ringed[i] = SIZE_MAX;
}

static void choose_scales(struct hone_model *model)
{
    struct process *process = model->priv;
    const struct hone_samples *samples = &model->samples;
    struct hone_gaussian *g = &process->gaussian;
    size_t numbers[SAMPLES_MOST];
    double y[SAMPLES_MOST];
    memcpy(numbers, process->used, g->count * sizeof *numbers);
    const size_t n = thin(numbers, g->count, SCALES_MOST, samples);
    uint16_t *rows = calloc(n * samples->params + 1, sizeof *rows);
    if (!rows) return; // they stay as they are
    for (size_t i = 0; i < n; i++) {
        const uint16_t *row = hone_samples_row(samples, numbers[i]);
        y[i] = squeezed(model, numbers[i]) - g->slope * trend_of(model, numbers[i]);
        memcpy(rows + i * samples->params, row, samples->params * sizeof *rows);
    }
    hone_scales_choose(&g->axes, g->scales, rows, samples->params, y, n);
    free(rows);
    process->scaled = samples->count;
    rebuild(model, g->count);
    draw_candidates(model);
}

// Samples that came since the last time; whether there were too many.
static bool take_in_new(struct hone_model *model)
{
    struct process *process = model->priv;
    const struct hone_samples *samples = &model->samples;
    bool full = false;
    for (; process->seen < samples->count; process->seen++) {
        if (!hone_samples_is_valid(samples, process->seen)) continue;
        if (process->gaussian.count == SAMPLES_MOST) {
            full = process->was_full = true;
            rebuild(model, thin(process->used, SAMPLES_MOST, SAMPLES_KEPT, samples));
        }
        process->used[process->gaussian.count] = process->seen;
        take_in(model, process->gaussian.count);
    }
    return full;
}

static void take_back(struct hone_model *model, size_t i)
{
    struct process *process = model->priv;
    const size_t count = process->gaussian.count;
    if (process->seen > i) process->seen = i;
    if (!count || process->used[count - 1] != i) return;
    hone_gaussian_cut(&process->gaussian, count - 1);
    hone_field_cut(&process->field, count - 1);
}

// --- candidates ---

// Neighbours of a sample; of very many some, from a random one on.
static void join_ring(struct hone_model *model, uint64_t index)
{
    struct process *process = model->priv;
    struct hone_moves *moves = &model->pool.moves;
    uint64_t some[RING_MOST];
    hone_moves_look(moves, index, HONE_HAMMING);
    size_t n = 0;
    const size_t count = moves->ring_count;
    const size_t first =
        count > RING_MOST ? (size_t)hone_rng_below(&model->rng, count) : 0;
    for (; n < count && n < RING_MOST; n++)
        some[n] = moves->ring[(first + n) % count];
    hone_field_join(&process->field, &process->gaussian, some, n);
}

// Whatever is new among the best.
static void join_rings(struct hone_model *model)
{
    struct process *process = model->priv;
    const struct hone_candidates *pool = &model->pool;
    if (process->field.whole) return;
    hone_candidates_find_elite(&model->pool, &model->samples);
    for (size_t i = 0; i < pool->elite_count; i++) {
        bool ringed = false;
        for (size_t j = 0; j < HONE_CANDIDATES_ELITE; j++)
            ringed |= process->ringed[j] == pool->elite[i];
        if (!ringed) join_ring(model, model->samples.index[pool->elite[i]]);
    }
    memcpy(process->ringed, pool->elite, pool->elite_count * sizeof *pool->elite);
}

// Median of what was expected of the samples, as that of y is of what they were.
static double usual_expectation(const struct hone_model *model)
{
    const struct hone_samples *samples = &model->samples;
    double *expected = calloc(samples->valid + 1, sizeof *expected);
    if (!expected) return 0;
    size_t n = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (hone_samples_is_valid(samples, i))
            expected[n++] = hone_expectation_at(model->expectation, samples->index[i],
                                                hone_samples_row(samples, i));
    const double usual = hone_upper_median(expected, n);
    free(expected);
    return usual;
}

// Samples that came, at the medians of now; whether there were too many.
static bool take_in_all(struct hone_model *model)
{
    struct process *process = model->priv;
    struct hone_gaussian *g = &process->gaussian;
    const bool settled = hone_model_settle(model, median_growth);
    if (settled && model->expectation) process->usual = usual_expectation(model);
    const bool full = take_in_new(model);
    for (size_t i = 0; i < g->count && settled; i++) {
        g->y[i] = squeezed(model, process->used[i]);
        g->trend[i] = trend_of(model, process->used[i]);
    }
    return full;
}

static bool process_fit(struct hone_model *model)
{
    struct process *process = model->priv;
    struct hone_gaussian *g = &process->gaussian;
    if (!process->field.count) {
        process->field.expectation = model->expectation;
        hone_field_draw(&process->field, g, &model->rng);
    }
    const bool full = take_in_all(model);
    const bool grown =
        !process->was_full && g->count >= SCALES_FROM &&
        (double)model->samples.count > scales_growth * (double)process->scaled;
    if (full || grown) choose_scales(model);
    hone_gaussian_settle(g);
    join_rings(model);
    hone_field_grow(&process->field, g);
    hone_field_settle(&process->field, g, process->usual);
    process->goal = hone_model_best(model) - margin * g->sd;
    return hone_feasible_fit(&process->feasible, &model->samples, &model->rng);
}

// --- asking ---

static void process_predict(struct hone_model *model, const uint64_t *indices,
                            size_t count, struct hone_prediction *out)
{
    const struct process *process = model->priv;
    for (size_t i = 0; i < count; i++) {
        const uint16_t *row = hone_model_row(model, indices[i]);
        const double trend = trend_at(model, indices[i], row);
        hone_gaussian_ask(&process->gaussian, row, trend, &out[i].mean, &out[i].sd);
        out[i].chance = hone_feasible_chance(&process->feasible, row);
    }
}

static double worth(const struct hone_model *model, const struct hone_prediction *p)
{
    const struct process *process = model->priv;
    return p->chance * hone_expected_improvement(p->mean, p->sd, process->goal);
}

static bool suggest(struct hone_model *model, hone_model_skip *skip, void *context,
                    uint64_t *out)
{
    struct process *process = model->priv;
    const struct hone_field *field = &process->field;
    const float scale = (float)process->gaussian.sd, goal = (float)process->goal;
    double most = -1;
    for (size_t x = 0; x < field->count; x++) {
        const float gain = goal - field->mean[x];
        const float sd = scale * sqrtf(fmaxf(field->left[x], 1e-9F));
        // Most candidates end here.
        if ((double)hone_improvement_bound(gain, sd) <= most) continue;
        const uint64_t index = field->index[x];
        const double improvement =
            hone_expected_improvement((double)field->mean[x], (double)sd, process->goal);
        if (improvement <= most || hone_model_knows(model, index)) continue;
        if (skip && skip(context, index)) continue;
        const double here =
            improvement *
            hone_feasible_chance(&process->feasible, hone_model_row(model, index));
        if (here <= most) continue;
        most = here;
        *out = index;
    }
    if (most >= 0 || field->whole) return most >= 0;
    return hone_model_suggest_pooled(model, skip, context, out);
}

const struct hone_model_fns hone_model_gaussian = {
    .name = "gaussian",
    .priv_size = sizeof(struct process),
    .init = process_init,
    .fini = process_fini,
    .remove = take_back,
    .fit = process_fit,
    .predict = process_predict,
    .worth = worth,
    .suggest = suggest,
};
