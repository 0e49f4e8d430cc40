/* Gaussian process regression (Rasmussen, Williams: Gaussian processes for machine
 * learning, 2006, algorithm 2.1) over value numbers, sample by sample. Covariance is
 * Matern's of the gaps of all parameters (axes.h), weighted by scales. The mean is a
 * constant and a multiple of a trend that comes with each row: what a cheaper source says
 * (Kennedy, O'Hagan: Predicting the output from a complex computer code when fast
 * approximations are available, 2000). */
#ifndef HONE_SEARCH_GAUSSIAN_H
#define HONE_SEARCH_GAUSSIAN_H

#include "axes.h"

struct hone_gaussian {
    struct hone_axes axes;
    double *scales; /* [axes.count] logarithms of weights */
    size_t params, count, cap;
    uint16_t *rows;         /* [cap][params] */
    double *y;              /* [cap] */
    double *trend;          /* [cap] */
    double *factor;         /* [cap][cap] of the covariance, lower triangle (Cholesky) */
    double *half;           /* [cap] factor^-1 y */
    double *ones;           /* [cap] factor^-1 1 */
    double *slant;          /* [cap] factor^-1 trend */
    double *cross;          /* [cap] for asking */
    double mean, slope, sd; /* slope: of the trend, 1 while there is none */
};

enum hone_status hone_gaussian_init(struct hone_gaussian *g,
                                    const struct hone_space *space, size_t cap,
                                    struct hone_error *err);
void hone_gaussian_fini(struct hone_gaussian *g);

/* A sample more, of at most cap; or back to count samples. */
void hone_gaussian_add(struct hone_gaussian *g, const uint16_t *row, double y,
                       double trend);
void hone_gaussian_cut(struct hone_gaussian *g, size_t count);

/* Mean and slope by generalised least squares and the variance that fits best, after
 * samples, y or trend have changed. */
void hone_gaussian_settle(struct hone_gaussian *g);

/* factor^-1 (y - mean - slope trend), sample i. */
double hone_gaussian_half(const struct hone_gaussian *g, size_t i);

/* Mean and standard deviation at a row with that trend. */
void hone_gaussian_ask(const struct hone_gaussian *g, const uint16_t *row, double trend,
                       double *mean, double *sd);

#endif
