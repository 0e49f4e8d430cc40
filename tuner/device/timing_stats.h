/* What a list of timings says: the median, its spread and how sure we are of it. Pure
 * functions of the samples, the same for every clock. */
#ifndef HONE_TIMING_STATS_H
#define HONE_TIMING_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/device.h"

struct hone_timing_stats {
    size_t count;
    double sum;
    double median;
    double rel_std; /* standard deviation / median; 0 below two samples */
    /* Half the width of the 95 % interval of the median / median. INFINITY for fewer than
     * 6 samples, where no such interval exists. */
    double rel_ci;
};

/* samples are positive; they are sorted in place. count > 0. */
struct hone_timing_stats hone_timing_stats_of(double *samples, size_t count);

/* The rank r (from 1) for which [x(r), x(n+1-r)] of n sorted samples holds the median
 * with at least the given confidence, as narrow as can be; 0 when no rank does. */
size_t hone_median_rank(size_t n, double confidence);

/* May sampling stop? Yes at max_samples; else not below min_samples; then when the
 * interval is narrow enough or the kernel time is spent. Sums are in microseconds. */
bool hone_timing_enough(const struct hone_timing_stats *stats,
                        const struct hone_time_policy *policy);

#endif
