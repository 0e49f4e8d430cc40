/* What models learn from: told configurations as rows of value numbers, with the
 * logarithm of their cost, since times differ by factors. */
#ifndef HONE_SEARCH_SAMPLES_H
#define HONE_SEARCH_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/space.h"

struct hone_samples {
    const struct hone_space *space; /* borrowed */
    size_t params;
    size_t count, cap;
    size_t valid;      /* of count, those that have a cost */
    uint64_t *index;   /* [count] */
    uint16_t *choices; /* [count][params] */
    double *y;   /* [count] log of cost / unit; NAN where the configuration failed */
    double unit; /* the first cost there was, so that y has no unit and is near 0 */
};

void hone_samples_init(struct hone_samples *samples, const struct hone_space *space);
void hone_samples_fini(struct hone_samples *samples);

/* cost NAN: it failed. ENOMEM. */
enum hone_status hone_samples_add(struct hone_samples *samples, uint64_t index,
                                  double cost, struct hone_error *err);

/* Take back the last ones, so that count are left. */
void hone_samples_cut(struct hone_samples *samples, size_t count);

const uint16_t *hone_samples_row(const struct hone_samples *samples, size_t i);
bool hone_samples_is_valid(const struct hone_samples *samples, size_t i);

/* What lies above the median drawn near it, to a tenth of the excess: models then spend
 * themselves on the fast end. */
double hone_squeeze(double y, double median);

/* Returns the upper one of an even number, 0 of none; puts the values in order. */
double hone_upper_median(double *values, size_t n);

/* Returns the median of y over what is valid; 0 while nothing is valid, or
 * memory runs out. */
double hone_samples_median(const struct hone_samples *samples);

#endif
