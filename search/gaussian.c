// Dense linear algebra on a few dozen samples, by the book.
#include "gaussian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; // rows asked about at once: inner loops run over these

// Relative variance of measuring, which also keeps the factorisation stable.
static const double noise = 1e-3;

// How much of a parameter's part in the distance it is for being different at all.
static const double apart = 0.25;

static const double length_least = 0.2, length_most = 50; // of the distance

enum hone_status hone_gaussian_init(struct hone_gaussian *m,
                                    const struct hone_space *space, size_t cap,
                                    struct hone_error *err)
{
    const size_t params = hone_space_param_count(space);
    *m =
        (struct hone_gaussian){.params = params, .space = space, .cap = cap, .length = 1};
    m->steps = calloc(params + 1, sizeof *m->steps);
    m->rows = calloc(cap * params + 1, sizeof *m->rows);
    m->factor = calloc(cap * cap, sizeof *m->factor);
    m->gaps = calloc(cap * cap, sizeof *m->gaps);
    m->alpha = calloc(cap, sizeof *m->alpha);
    m->y = calloc(cap, sizeof *m->y);
    m->block = calloc(cap * BLOCK, sizeof *m->block);
    if (!m->steps || !m->rows || !m->factor || !m->gaps || !m->alpha || !m->y ||
        !m->block) {
        hone_gaussian_fini(m);
        return hone_fail(err, HONE_ENOMEM, "out of memory for a Gaussian process");
    }
    for (size_t p = 0; p < params; p++) {
        const size_t values = hone_space_param(space, p)->count;
        m->steps[p] = values > 1 ? 1 / (double)(values - 1) : 0;
    }
    return HONE_OK;
}

void hone_gaussian_fini(struct hone_gaussian *m)
{
    free(m->steps);
    free(m->rows);
    free(m->factor);
    free(m->gaps);
    free(m->alpha);
    free(m->y);
    free(m->block);
    *m = (struct hone_gaussian){0};
}

static double gap(const struct hone_gaussian *m, const uint16_t *a, const uint16_t *b)
{
    double sum = 0;
    for (size_t p = 0; p < m->params; p++)
        if (a[p] != b[p])
            sum += apart + (1 - apart) * fabs((double)a[p] - b[p]) * m->steps[p];
    return sqrt(sum);
}

static double covariance(double gap, double length)
{
    const double r = sqrt(3.0) * gap / length;
    return (1 + r) * exp(-r);
}

// Cholesky factorisation, row by row. False when rounding has used up a diagonal.
static bool factorise(struct hone_gaussian *m, double length)
{
    const size_t n = m->count, w = m->cap;
    for (size_t i = 0; i < n; i++) {
        double *li = m->factor + i * w;
        for (size_t j = 0; j <= i; j++) {
            const double *lj = m->factor + j * w;
            double sum = i == j ? 1 + noise : covariance(m->gaps[i * w + j], length);
            for (size_t k = 0; k < j; k++)
                sum -= li[k] * lj[k];
            if (i == j && sum <= 0) return false;
            li[j] = i == j ? sqrt(sum) : sum / lj[j];
        }
    }
    return true;
}

// alpha = covariance^-1 y; returns the log likelihood but for a constant.
static double solve(struct hone_gaussian *m)
{
    const size_t n = m->count, w = m->cap;
    double squares = 0, logs = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = m->y[i];
        for (size_t k = 0; k < i; k++)
            sum -= m->factor[i * w + k] * m->alpha[k];
        m->alpha[i] = sum / m->factor[i * w + i];
        squares += m->alpha[i] * m->alpha[i];
        logs += log(m->factor[i * w + i]);
    }
    for (size_t i = n; i-- > 0;) {
        double sum = m->alpha[i];
        for (size_t k = i + 1; k < n; k++)
            sum -= m->factor[k * w + i] * m->alpha[k];
        m->alpha[i] = sum / m->factor[i * w + i];
    }
    // The variance that fits best is squares / n; equal costs would make it zero.
    const double scale = fmax(squares / (double)n, 1e-12);
    m->sd = sqrt(scale);
    return -0.5 * (double)n * log(scale) - logs;
}

// A step of a search over scales; data change little between calls.
static void choose_length(struct hone_gaussian *m)
{
    static const double factors[] = {1, 0.7, 1.4, 0.5, 2};
    const double from = m->length;
    double best = -HUGE_VAL;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        const double length = fmin(fmax(from * factors[i], length_least), length_most);
        if (!factorise(m, length)) continue;
        const double likelihood = solve(m);
        if (likelihood <= best) continue;
        best = likelihood;
        m->length = length;
    }
}

void hone_gaussian_fit(struct hone_gaussian *m, const uint16_t *rows, const double *y,
                       size_t count, bool tune)
{
    m->count = count;
    memcpy(m->rows, rows, count * m->params * sizeof *rows);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += y[i];
    m->mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        m->y[i] = y[i] - m->mean;
        for (size_t j = 0; j < i; j++)
            m->gaps[i * m->cap + j] = gap(m, rows + i * m->params, rows + j * m->params);
    }
    if (tune) choose_length(m);
    factorise(m, m->length);
    solve(m);
}

// Forward substitution for all columns of block at once; what is left of the variance.
static void ask_block(const struct hone_gaussian *m, const uint16_t *rows, size_t n,
                      double *mean, double *sd)
{
    double left[BLOCK], sum[BLOCK] = {0};
    for (size_t c = 0; c < BLOCK; c++)
        left[c] = 1;
    for (size_t i = 0; i < m->count; i++) {
        double *restrict b = m->block + i * BLOCK;
        for (size_t c = 0; c < n; c++)
            b[c] = covariance(gap(m, m->rows + i * m->params, rows + c * m->params),
                              m->length);
        for (size_t c = 0; c < n; c++)
            sum[c] += m->alpha[i] * b[c];
        const double *l = m->factor + i * m->cap;
        for (size_t k = 0; k < i; k++) {
            const double *restrict a = m->block + k * BLOCK;
            const double f = l[k];
            for (size_t c = 0; c < BLOCK; c++)
                b[c] -= f * a[c];
        }
        const double inverse = 1 / l[i];
        for (size_t c = 0; c < BLOCK; c++) {
            b[c] *= inverse;
            left[c] -= b[c] * b[c];
        }
    }
    for (size_t c = 0; c < n; c++) {
        mean[c] = m->mean + sum[c];
        sd[c] = m->sd * sqrt(fmax(left[c], 0));
    }
}

void hone_gaussian_ask(const struct hone_gaussian *m, const uint16_t *rows, size_t count,
                       double *mean, double *sd)
{
    for (size_t i = 0; i < count; i += BLOCK)
        ask_block(m, rows + i * m->params, count - i < BLOCK ? count - i : BLOCK,
                  mean + i, sd + i);
}
