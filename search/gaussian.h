/* Gaussian process regression (Rasmussen, Williams: Gaussian processes for machine
 * learning, 2006, algorithm 2.1) over value numbers. Covariance is Matern's with
 * smoothness 3/2 of a distance in which each parameter counts half for being different
 * and half for how far apart its values are in the list. */
#ifndef HONE_GAUSSIAN_H
#define HONE_GAUSSIAN_H

#include <stddef.h>
#include <stdint.h>

#include "hone/space.h"

struct hone_gaussian {
    size_t params;
    const struct hone_space *space;
    double *steps; /* [params] 1 / (values - 1) */
    size_t count, cap;
    uint16_t *rows;  /* [count][params] */
    double *factor;  /* [count][cap] of the covariance, lower triangle (Cholesky) */
    double *gaps;    /* [count][cap] distances */
    double *alpha;   /* [count] inverse covariance times y */
    double *y;       /* [count] standardised */
    double *block;   /* [count][BLOCK] for asking */
    double mean, sd; /* of y as given */
    double length;
};

enum hone_status hone_gaussian_init(struct hone_gaussian *model,
                                    const struct hone_space *space, size_t cap,
                                    struct hone_error *err);
void hone_gaussian_fini(struct hone_gaussian *model);

/* Fit to count <= cap rows; tune: choose the length scale anew by maximum likelihood. */
void hone_gaussian_fit(struct hone_gaussian *model, const uint16_t *rows, const double *y,
                       size_t count, bool tune);

/* Mean and standard deviation at each of count rows. */
void hone_gaussian_ask(const struct hone_gaussian *model, const uint16_t *rows,
                       size_t count, double *mean, double *sd);

#endif
