#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_indices(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void hone_sort_doubles(double *values, size_t count)
{
    if (count) qsort(values, count, sizeof *values, compare_doubles);
}

void hone_sort_indices(uint64_t *values, size_t count)
{
    if (count) qsort(values, count, sizeof *values, compare_indices);
}

double hone_sorted_median(const double *sorted, size_t count)
{
    assert(count > 0);
    return count % 2 ? sorted[count / 2]
                     : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}
