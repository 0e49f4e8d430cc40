// Dense linear algebra on a few dozen samples, by the book.
#include "gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scales.h"

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
    g->half = calloc(cap, sizeof *g->half);
    g->ones = calloc(cap, sizeof *g->ones);
    g->cross = calloc(cap, sizeof *g->cross);
    if (!g->scales || !g->rows || !g->factor || !g->y || !g->half || !g->ones ||
        !g->cross) {
        hone_gaussian_fini(g);
        return hone_fail(err, HONE_ENOMEM, "out of memory for a Gaussian process");
    }
    for (size_t a = 0; a < g->axes.count; a++)
        g->scales[a] = hone_scales_first;
    return HONE_OK;
}

void hone_gaussian_fini(struct hone_gaussian *g)
{
    hone_axes_fini(&g->axes);
    free(g->scales);
    free(g->rows);
    free(g->factor);
    free(g->y);
    free(g->half);
    free(g->ones);
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

void hone_gaussian_add(struct hone_gaussian *g, const uint16_t *row, double y)
{
    const size_t i = g->count++;
    double *li = g->factor + i * g->cap;
    memcpy(g->rows + i * g->params, row, g->params * sizeof *row);
    // Of the noise at least a part is left, whatever rounding has taken.
    const double left = solve(g, row, i, li) + HONE_GAUSSIAN_NOISE;
    li[i] = sqrt(fmax(left, HONE_GAUSSIAN_NOISE / 2));
    g->y[i] = y;
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

void hone_gaussian_settle(struct hone_gaussian *g)
{
    double y1 = 0, ones = 0, squares = 0;
    for (size_t i = 0; i < g->count; i++) {
        g->half[i] = forward(g, g->half, i, g->y[i]);
        g->ones[i] = forward(g, g->ones, i, 1);
        y1 += g->half[i] * g->ones[i];
        ones += g->ones[i] * g->ones[i];
    }
    g->mean = g->count ? y1 / ones : 0;
    for (size_t i = 0; i < g->count; i++)
        squares += hone_gaussian_half(g, i) * hone_gaussian_half(g, i);
    // Equal costs would make it zero.
    g->sd = g->count ? sqrt(fmax(squares / (double)g->count, 1e-12)) : 1;
}

double hone_gaussian_half(const struct hone_gaussian *g, size_t i)
{
    return g->half[i] - g->mean * g->ones[i];
}

void hone_gaussian_ask(const struct hone_gaussian *g, const uint16_t *row, double *mean,
                       double *sd)
{
    const double left = solve(g, row, g->count, g->cross);
    *mean = g->mean;
    for (size_t i = 0; i < g->count; i++)
        *mean += g->cross[i] * hone_gaussian_half(g, i);
    *sd = g->sd * sqrt(fmax(left, 0));
}
