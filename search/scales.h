/* How much each parameter counts in a Gaussian process: the logarithm of the weight of
 * its gaps, chosen by how likely they make what was measured (automatic relevance
 * determination; Rasmussen, Williams: Gaussian processes for machine learning, 2006,
 * chapter 5). */
#ifndef HONE_SEARCH_SCALES_H
#define HONE_SEARCH_SCALES_H

#include "axes.h"

/* Variance of measuring, relative to the process; it also keeps factors stable. */
#define HONE_GAUSSIAN_NOISE 1e-3

/* Where scales begin. */
extern const double hone_scales_first;

/* One step of a search from scales [axes->count] on; data change little between calls.
 * rows is [n][params]. ENOMEM leaves scales as they are. */
enum hone_status hone_scales_choose(const struct hone_axes *axes, double *scales,
                                    const uint16_t *rows, size_t params, const double *y,
                                    size_t n);

#endif
