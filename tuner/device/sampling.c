#include "sampling.h"

// Samples before a race may be lost. On recorded timings of six spaces two are enough
// (docs/measurement.md).
enum { RACE_SAMPLES = 2 };

// A race that was lost: by the fastest of few samples against the margin, or by the whole
// interval once there is one.
static bool is_lost(const struct hone_sample_stats *stats,
                    const struct hone_time_policy *policy)
{
    if (!(policy->rival_us > 0) || stats->count < RACE_SAMPLES) return false;
    return stats->least > policy->rival_us * (1 + policy->rival_margin) ||
           (stats->count >= policy->min_samples && stats->low > policy->rival_us);
}

static bool is_enough(const struct hone_sample_stats *stats,
                      const struct hone_time_policy *policy)
{
    if (stats->count >= policy->max_samples || is_lost(stats, policy)) return true;
    if (stats->count < policy->min_samples) return false;
    return stats->rel_ci <= policy->target_rel_ci ||
           stats->sum >= policy->budget_ms * 1e3;
}

size_t hone_timing_next(const struct hone_sample_stats *stats,
                        const struct hone_time_policy *policy)
{
    const size_t least = policy->min_samples, most = policy->max_samples;
    size_t n = stats->count / 3 + 1;
    if (stats->count && is_enough(stats, policy)) return 0;
    if (stats->count < least) n = least - stats->count;
    if (!stats->count && policy->rival_us > 0 && n > RACE_SAMPLES) n = RACE_SAMPLES;
    return n < most - stats->count ? n : most - stats->count;
}
