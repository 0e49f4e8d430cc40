#include "evaluate/rival.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"

// On recorded timings of six spaces (noise 0.1 to 1.3 %) these lose no winner and keep
// at most a fifth of the time of 30 samples each: docs/measurement.md.
static const double least_margin = 0.03, margin_per_noise = 3;

// A spread of fewer samples says little; races that were lost early have two.
enum { NOISE_SAMPLES = 6 };

void hone_rival_tell(struct hone_rival *rival, const struct hone_trial *trial)
{
    if (trial->outcome != HONE_VALID || !(trial->time_us > 0)) return;
    if (rival->best_us == 0 || trial->time_us < rival->best_us)
        rival->best_us = trial->time_us;
    if (trial->samples >= NOISE_SAMPLES && isfinite(trial->rel_std))
        rival->noises[rival->told++ % HONE_RIVAL_NOISES] = trial->rel_std;
}

double hone_rival_noise(const struct hone_rival *rival)
{
    double sorted[HONE_RIVAL_NOISES];
    size_t n = rival->told;
    if (n > HONE_RIVAL_NOISES) n = HONE_RIVAL_NOISES;
    if (n == 0) return 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = rival->noises[i];
    hone_sort_doubles(sorted, n);
    return sorted[n / 2];
}

struct hone_time_policy hone_rival_policy(const struct hone_rival *rival,
                                          const struct hone_time_policy *policy)
{
    struct hone_time_policy racing = *policy;
    racing.rival_us = rival->best_us;
    racing.rival_margin = fmax(least_margin, margin_per_noise * hone_rival_noise(rival));
    return racing;
}
