/* Plain numbers in rising order, and the middle of such. */
#ifndef HONE_BASE_SORT_H
#define HONE_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* In place; none of the values is NaN. values may be NULL where count is 0. */
void hone_sort_doubles(double *values, size_t count);
void hone_sort_indices(uint64_t *values, size_t count);

/* The median of count > 0 rising values: of an even count the mean of the middle two. */
double hone_sorted_median(const double *sorted, size_t count);

#endif
