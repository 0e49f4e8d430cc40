/* How far apart two values of a parameter are: 0 for the same one, at most 1. Being
 * different counts, the distance in the list, and for integers how many powers of two
 * divide them: what a GPU does with 48 threads is nearer to 80 than to 64. */
#ifndef HONE_SEARCH_AXES_H
#define HONE_SEARCH_AXES_H

#include <stddef.h>
#include <stdint.h>

#include "hone/space.h"

/* A parameter with more than one value. */
struct hone_axis {
    size_t param, count;
    float apart;  /* what being different counts */
    float *place; /* [count] weighted place in the list */
    float *align; /* [count] weighted exponent of two */
};

struct hone_axes {
    struct hone_axis *items;
    size_t count;
    size_t most; /* values of an axis */
};

/* ENOMEM. fini also after a failed init. */
enum hone_status hone_axes_init(struct hone_axes *axes, const struct hone_space *space,
                                struct hone_error *err);
void hone_axes_fini(struct hone_axes *axes);

float hone_axis_gap(const struct hone_axis *axis, uint16_t a, uint16_t b);

/* Covariance of unit variance at a sum of weighted gaps: Matern's with smoothness 3/2. */
float hone_matern(float gap);

#endif
