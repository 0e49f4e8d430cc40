// Dense linear algebra on a few dozen samples, by the book.
#include "gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scales.h"

// A trend is believed as it is, give or take this much: a handful of samples that were
// chosen because of it say little of its slope.
static const double slope_sd = 0.5;

enum hone_status hone_gaussian_init(struct hone_gaussian *g,
                                    const struct hone_space *space, size_t cap,
                                    struct hone_error *err)
{
    *g = (struct hone_gaussian){.params = hone_space_param_count(space), .cap = cap};
    enum hone_status status = hone_axes_init(&g->axes, space, err);
    if (status != HONE_OK) return status;
    g->scales = calloc(g->axes.count + 1, sizeof *g->scales);
    g->rows = calloc(cap * g->params + 1, sizeof *g->rows);
    g->factor = calloc(cap * cap, sizeof *g->factor);
    g->y = calloc(cap, sizeof *g->y);
    g->trend = calloc(cap, sizeof *g->trend);
    g->half = calloc(cap, sizeof *g->half);
    g->ones = calloc(cap, sizeof *g->ones);
    g->slant = calloc(cap, sizeof *g->slant);
    g->cross = calloc(cap, sizeof *g->cross);
    if (!g->scales || !g->rows || !g->factor || !g->y || !g->trend || !g->half ||
        !g->ones || !g->slant || !g->cross) {
        hone_gaussian_fini(g);
        return hone_no_memory(err, "for a Gaussian process");
    }
    for (size_t a = 0; a < g->axes.count; a++)
        g->scales[a] = hone_scales_first;
    g->slope = 1;
    return HONE_OK;
}

void hone_gaussian_fini(struct hone_gaussian *g)
{
    hone_axes_fini(&g->axes);
    free(g->scales);
    free(g->rows);
    free(g->factor);
    free(g->y);
    free(g->trend);
    free(g->half);
    free(g->ones);
    free(g->slant);
    free(g->cross);
    *g = (struct hone_gaussian){0};
}

static double covariance(const struct hone_gaussian *g, const uint16_t *a,
                         const uint16_t *b)
{
    double gap = 0;
    for (size_t i = 0; i < g->axes.count; i++) {
        const struct hone_axis *axis = &g->axes.items[i];
        if (a[axis->param] != b[axis->param])
            gap += exp(g->scales[i]) *
                   (double)hone_axis_gap(axis, a[axis->param], b[axis->param]);
    }
    return (double)hone_matern((float)gap);
}

// solved = factor^-1 times the covariances of row with the first n samples; returns what
// is left of the unit variance.
static double solve(const struct hone_gaussian *g, const uint16_t *row, size_t n,
                    double *solved)
{
    double left = 1;
    for (size_t j = 0; j < n; j++) {
        const double *lj = g->factor + j * g->cap;
        double sum = covariance(g, row, g->rows + j * g->params);
        for (size_t k = 0; k < j; k++)
            sum -= lj[k] * solved[k];
        solved[j] = sum / lj[j];
        left -= solved[j] * solved[j];
    }
    return left;
}

void hone_gaussian_add(struct hone_gaussian *g, const uint16_t *row, double y,
                       double trend)
{
    const size_t i = g->count++;
    double *li = g->factor + i * g->cap;
    memcpy(g->rows + i * g->params, row, g->params * sizeof *row);
    // At least a part of the noise is left, whatever rounding has taken.
    const double left = solve(g, row, i, li) + HONE_GAUSSIAN_NOISE;
    li[i] = sqrt(fmax(left, HONE_GAUSSIAN_NOISE / 2));
    g->y[i] = y;
    g->trend[i] = trend;
}

void hone_gaussian_cut(struct hone_gaussian *g, size_t count)
{
    if (count < g->count) g->count = count;
}

static double forward(const struct hone_gaussian *g, const double *solved, size_t i,
                      double sum)
{
    const double *li = g->factor + i * g->cap;
    for (size_t k = 0; k < i; k++)
        sum -= li[k] * solved[k];
    return sum / li[i];
}

double hone_gaussian_half(const struct hone_gaussian *g, size_t i)
{
    return g->half[i] - g->mean * g->ones[i] - g->slope * g->slant[i];
}

static double deviation(const struct hone_gaussian *g)
{
    double squares = 0;
    for (size_t i = 0; i < g->count; i++)
        squares += hone_gaussian_half(g, i) * hone_gaussian_half(g, i);
    // Equal costs would make it zero.
    return sqrt(fmax(squares / (double)g->count, 1e-12));
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

void hone_gaussian_settle(struct hone_gaussian *g)
{
    const size_t n = g->count;
    g->mean = 0;
    g->slope = g->sd = 1;
    if (!n) return;
    for (size_t i = 0; i < n; i++) {
        g->half[i] = forward(g, g->half, i, g->y[i]);
        g->ones[i] = forward(g, g->ones, i, 1);
        g->slant[i] = forward(g, g->slant, i, g->trend[i]);
    }
    const double ones = dot(g->ones, g->ones, n), y1 = dot(g->half, g->ones, n),
                 t1 = dot(g->slant, g->ones, n), tt = dot(g->slant, g->slant, n),
                 ty = dot(g->slant, g->half, n);
    g->mean = (y1 - t1) / ones;
    g->sd = deviation(g);
    const double ridge = g->sd * g->sd / (slope_sd * slope_sd);
    g->slope = (ty - t1 * y1 / ones + ridge) / (tt - t1 * t1 / ones + ridge);
    g->mean = (y1 - g->slope * t1) / ones;
    g->sd = deviation(g);
}

void hone_gaussian_ask(const struct hone_gaussian *g, const uint16_t *row, double trend,
                       double *mean, double *sd)
{
    const double left = solve(g, row, g->count, g->cross);
    *mean = g->mean + g->slope * trend;
    for (size_t i = 0; i < g->count; i++)
        *mean += g->cross[i] * hone_gaussian_half(g, i);
    *sd = g->sd * sqrt(fmax(left, 0));
}
