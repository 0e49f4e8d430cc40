/* Gaussian process regression (Rasmussen, Williams: Gaussian processes for machine
 * learning, 2006, algorithm 2.1) over value numbers, sample by sample. Covariance is
 * Matern's of the gaps of all parameters (axes.h), weighted by scales. */
#ifndef HONE_GAUSSIAN_H
#define HONE_GAUSSIAN_H

#include "axes.h"

struct hone_gaussian {
    struct hone_axes axes;
    double *scales; /* [axes.count] logarithms of weights */
    size_t params, count, cap;
    uint16_t *rows; /* [cap][params] */
    double *y;      /* [cap] */
    double *factor; /* [cap][cap] of the covariance, lower triangle (Cholesky) */
    double *half;   /* [cap] factor^-1 y */
    double *ones;   /* [cap] factor^-1 1 */
    double *cross;  /* [cap] for asking */
    double mean, sd;
};

enum hone_status hone_gaussian_init(struct hone_gaussian *g,
                                    const struct hone_space *space, size_t cap,
                                    struct hone_error *err);
void hone_gaussian_fini(struct hone_gaussian *g);

/* A sample more, of at most cap; or back to count samples. */
void hone_gaussian_add(struct hone_gaussian *g, const uint16_t *row, double y);
void hone_gaussian_cut(struct hone_gaussian *g, size_t count);

/* Mean by generalised least squares and the variance that fits best, after samples or y
 * have changed. */
void hone_gaussian_settle(struct hone_gaussian *g);

/* factor^-1 (y - mean), sample i. */
double hone_gaussian_half(const struct hone_gaussian *g, size_t i);

/* Mean and standard deviation at a row. */
void hone_gaussian_ask(const struct hone_gaussian *g, const uint16_t *row, double *mean,
                       double *sd);

#endif
