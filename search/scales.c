// Coordinate search: all scales together, then each one, a step up or down. What is to
// be as large as possible is the likelihood with mean and variance fitted, times a prior
// that holds the scales near each other and their mean near where they begin: without it
// a dozen samples make some parameters all and others nothing.
#include "scales.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Chosen on recorded spaces, see docs/strategies.md: a length scale of 6, far longer than
// what likelihood alone chooses, keeps early suggestions from digging where they are.
const double hone_scales_first = -3.58;
static const double prior_mean_sd = 0.3, prior_each_sd = 1;
static const double step_all = 0.7, step_each = 0.8;
static const double scale_least = -8, scale_most = 4;
enum { STEPS_ALL = 3 };

struct data {
    size_t n, axes;
    float *gaps;    // [axes][n][n], lower triangles
    double *factor; // [n][n]
    double *half;   // [n] factor^-1 y
    double *ones;   // [n] factor^-1 1
    double *trial;  // [axes] scales to try
    const double *y;
};

static void measure_gaps(struct data *data, const struct hone_axes *axes,
                         const uint16_t *rows, size_t params)
{
    float *gap = data->gaps;
    for (size_t a = 0; a < axes->count; a++) {
        const struct hone_axis *axis = &axes->items[a];
        for (size_t i = 0; i < data->n; i++)
            for (size_t j = 0; j < data->n; j++)
                *gap++ = hone_axis_gap(axis, rows[i * params + axis->param],
                                       rows[j * params + axis->param]);
    }
}

static void fill_covariance(struct data *data, const double *scales)
{
    const size_t n = data->n;
    memset(data->factor, 0, n * n * sizeof *data->factor);
    for (size_t a = 0; a < data->axes; a++) {
        const double weight = exp(scales[a]);
        const float *gaps = data->gaps + a * n * n;
        for (size_t i = 0; i < n * n; i++)
            data->factor[i] += weight * (double)gaps[i];
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            data->factor[i * n + j] = (double)hone_matern((float)data->factor[i * n + j]);
        data->factor[i * n + i] = 1 + HONE_GAUSSIAN_NOISE;
    }
}

// Cholesky's factor of row i, and the same row of factor^-1 y and factor^-1 1.
static bool factorise_row(struct data *data, size_t i)
{
    const size_t n = data->n;
    double *li = data->factor + i * n, left = li[i], y = data->y[i], one = 1;
    for (size_t j = 0; j < i; j++) {
        const double *lj = data->factor + j * n;
        double sum = li[j];
        for (size_t k = 0; k < j; k++)
            sum -= li[k] * lj[k];
        li[j] = sum / lj[j];
        left -= li[j] * li[j];
        y -= li[j] * data->half[j];
        one -= li[j] * data->ones[j];
    }
    if (left <= 0) return false;
    li[i] = sqrt(left);
    data->half[i] = y / li[i];
    data->ones[i] = one / li[i];
    return true;
}

// Logarithm, but for a constant.
static double prior(const double *scales, size_t count)
{
    double mean = 0, squares = 0;
    for (size_t a = 0; a < count; a++)
        mean += scales[a] / (double)count;
    for (size_t a = 0; a < count; a++)
        squares += (scales[a] - mean) * (scales[a] - mean);
    const double off = (mean - hone_scales_first) / prior_mean_sd;
    return -0.5 * (squares / (prior_each_sd * prior_each_sd) + off * off);
}

static double likelihood(struct data *data, const double *scales)
{
    const double n = (double)data->n;
    double yy = 0, y1 = 0, ones = 0, logs = 0;
    fill_covariance(data, scales);
    for (size_t i = 0; i < data->n; i++) {
        if (!factorise_row(data, i)) return -HUGE_VAL;
        yy += data->half[i] * data->half[i];
        y1 += data->half[i] * data->ones[i];
        ones += data->ones[i] * data->ones[i];
        logs += log(data->factor[i * data->n + i]);
    }
    // The mean by least squares, the variance that fits best; equal costs have none.
    const double variance = fmax((yy - y1 * y1 / ones) / n, 1e-12);
    return prior(scales, data->axes) - 0.5 * n * log(variance) - logs;
}

// Add step to the scales [first, end) if that is more likely.
static bool move(struct data *data, double *scales, size_t first, size_t end, double step,
                 double *best)
{
    memcpy(data->trial, scales, data->axes * sizeof *scales);
    for (size_t a = first; a < end; a++)
        data->trial[a] = fmin(fmax(scales[a] + step, scale_least), scale_most);
    const double here = likelihood(data, data->trial);
    if (here <= *best) return false;
    *best = here;
    memcpy(scales, data->trial, data->axes * sizeof *scales);
    return true;
}

static void climb(struct data *data, double *scales)
{
    double best = likelihood(data, scales);
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 0; i < STEPS_ALL; i++)
            if (!move(data, scales, 0, data->axes, sign * step_all, &best)) break;
    for (size_t a = 0; a < data->axes; a++)
        if (!move(data, scales, a, a + 1, -step_each, &best))
            move(data, scales, a, a + 1, step_each, &best);
}

enum hone_status hone_scales_choose(const struct hone_axes *axes, double *scales,
                                    const uint16_t *rows, size_t params, const double *y,
                                    size_t n)
{
    struct data data = {.n = n, .axes = axes->count, .y = y};
    data.gaps = calloc(axes->count * n * n + 1, sizeof *data.gaps);
    data.factor = calloc(n * n, sizeof *data.factor);
    data.half = calloc(2 * n + axes->count + 1, sizeof *data.half);
    const bool ok = data.gaps && data.factor && data.half;
    if (ok) {
        data.ones = data.half + n;
        data.trial = data.ones + n;
        measure_gaps(&data, axes, rows, params);
        climb(&data, scales);
    }
    free(data.gaps);
    free(data.factor);
    free(data.half);
    return ok ? HONE_OK : HONE_ENOMEM;
}
