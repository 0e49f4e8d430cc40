/* When a kernel has been timed often enough: the same for every clock. */
#ifndef HONE_DEVICE_SAMPLING_H
#define HONE_DEVICE_SAMPLING_H

#include "base/sample_stats.h"
#include "hone/device.h"

/* How many samples to take next, 0 to stop. The first two only where there is a rival:
 * a kernel that lost by more than the margin is not looked at again. Then up to
 * min_samples, later a third of what is there, until the interval is narrow enough, or
 * lies above the rival, or max_samples are there, or the kernel time is spent. Sums are
 * in microseconds. stats of no sample are {0}. */
size_t hone_timing_next(const struct hone_sample_stats *stats,
                        const struct hone_time_policy *policy);

#endif
