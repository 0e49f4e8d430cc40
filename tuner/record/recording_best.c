// The two trials of a recording that everything is compared with.
#include <math.h>

#include "hone/record.h"

static bool is_better(const struct hone_trial *trial, const struct hone_trial *best)
{
    const double cost = hone_trial_cost(trial), least = hone_trial_cost(best);
    return cost < least || (cost == least && hone_trial_break_tie(trial, best) < 0);
}

const struct hone_trial *hone_recording_best(const struct hone_recording *recording)
{
    const struct hone_trial *best = hone_recording_winner(recording);
    if (best && isfinite(hone_trial_cost(best))) return best;
    best = NULL;
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        if (!isfinite(hone_trial_cost(trial))) continue;
        if (!best || is_better(trial, best)) best = trial;
    }
    return best;
}

const struct hone_trial *hone_recording_default(const struct hone_recording *recording)
{
    const uint16_t *choices = hone_recording_info(recording)->defaults;
    const struct hone_space *space = hone_recording_space(recording);
    uint64_t index;
    if (!choices || hone_space_index(space, choices, &index) != HONE_OK) return NULL;
    return hone_recording_find(recording, index);
}
