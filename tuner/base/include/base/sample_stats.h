/* What a list of timings says: the median, its spread and how sure we are of it. Pure
 * functions of the samples, the same for every clock. */
#ifndef HONE_BASE_SAMPLE_STATS_H
#define HONE_BASE_SAMPLE_STATS_H

#include <stddef.h>

struct hone_sample_stats {
    size_t count;
    double sum;
    double least;
    double median;
    double rel_std; /* standard deviation / median; 0 below two samples */
    /* The 95 % interval of the median: 0 and INFINITY for fewer than 6 samples, where no
     * such interval exists. */
    double low, high;
    double rel_ci; /* half its width / median */
};

/* samples are positive; they are sorted in place. count > 0. */
struct hone_sample_stats hone_sample_stats_of(double *samples, size_t count);

/* The rank r (from 1) for which [x(r), x(n+1-r)] of n sorted samples holds the median
 * with at least the given confidence, as narrow as can be; 0 when no rank does. */
size_t hone_median_rank(size_t n, double confidence);

#endif
