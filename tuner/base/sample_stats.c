// Statistics of timings. The median and its interval by order statistics hold for any
// distribution (David and Nagaraja, Order Statistics, 3rd edition, section 7.1); timings
// are skewed, so nothing here assumes a normal one.
#include "base/sample_stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

// P(x(r) <= median <= x(n+1-r)) = 1 - 2 P(B <= r-1), B binomial with n trials of
// probability 1/2.
size_t hone_median_rank(size_t n, double confidence)
{
    double tail = 0, log_term = -(double)n * log(2.0);
    size_t rank = 0;
    for (size_t k = 0; 2 * k < n; k++) {
        tail += exp(log_term);
        if (1 - 2 * tail < confidence) break;
        rank = k + 1;
        log_term += log((double)(n - k) / (double)(k + 1));
    }
    return rank;
}

static double standard_deviation(const double *samples, size_t n, double mean)
{
    if (n < 2) return 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - mean) * (samples[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

struct hone_sample_stats hone_sample_stats_of(double *samples, size_t count)
{
    assert(count > 0);
    hone_sort_doubles(samples, count);
    struct hone_sample_stats stats = {
        .count = count, .least = samples[0], .high = INFINITY, .rel_ci = INFINITY};
    for (size_t i = 0; i < count; i++)
        stats.sum += samples[i];
    stats.median = hone_sorted_median(samples, count);
    stats.rel_std =
        standard_deviation(samples, count, stats.sum / (double)count) / stats.median;
    size_t rank = hone_median_rank(count, 0.95);
    if (rank) {
        stats.low = samples[rank - 1];
        stats.high = samples[count - rank];
        stats.rel_ci = (stats.high - stats.low) / 2 / stats.median;
    }
    return stats;
}
