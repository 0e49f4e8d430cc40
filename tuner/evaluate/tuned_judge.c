// What evaluators make of a comparison at the tuned size: whether it is worth a start,
// and what its verdicts say of trials.
#include "evaluate/tuned.h"

#include <stdio.h>

#include "base/quantity.h"
#include "evaluate/evaluator.h"
#include "tuned_run.h"

// Warp instructions that the emulator executes in a second when it checks no more than
// accesses, at least: a third of what docs/maintain/emulator.md has (75 million).
static const double emulated_per_s = 25e6;

// The trial says so from now on.
static enum hone_status keep_compared(struct hone_evaluator *evaluator,
                                      struct hone_trial *trial, const char *why,
                                      struct hone_error *err)
{
    char compared[HONE_COMPARED_MAX];
    struct hone_trial judged = *trial;
    hone_tuned_say_no(compared, why);
    judged.compared = compared;
    enum hone_status status = hone_evaluator_keep(evaluator, &judged, err);
    if (status == HONE_OK) *trial = judged;
    return status;
}

enum hone_status hone_tuned_takes_too_long(bool *too_long,
                                           struct hone_evaluator *evaluator,
                                           struct hone_confirmation *confirmation,
                                           const struct hone_candidate *candidates,
                                           struct hone_error *err)
{
    double seconds = 0;
    char why[HONE_COMPARED_MAX];
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < confirmation->count; i++) {
        if (!candidates[i].count) continue;
        const uint32_t *grid = candidates[i].variants[0].job.geometry.grid;
        seconds += hone_trial_metric(&confirmation->trials[i], "issued_per_block", 0) *
                   grid[0] * grid[1] * grid[2] / emulated_per_s;
    }
    *too_long = seconds > confirmation->seconds;
    if (!*too_long) return HONE_OK;
    snprintf(why, sizeof why, "needs about %s s of emulation, limit %s s",
             hone_plain(seconds, 2).text, hone_plain(confirmation->seconds, 3).text);
    for (size_t i = 0; status == HONE_OK && i < confirmation->count; i++)
        status = keep_compared(evaluator, &confirmation->trials[i], why, err);
    return status;
}

enum hone_status hone_tuned_judge(struct hone_evaluator *evaluator,
                                  struct hone_trial *trial,
                                  const struct hone_verdict *verdict,
                                  const char *undecided, struct hone_error *err)
{
    struct hone_trial judged = *trial;
    if (verdict->outcome == HONE_VALID && !verdict->compared[0])
        return keep_compared(evaluator, trial, undecided, err);
    judged.compared = verdict->compared;
    if (verdict->outcome != HONE_VALID) {
        judged.outcome = verdict->outcome;
        judged.found = &verdict->found;
        judged.reason = verdict->reason;
    }
    enum hone_status status = hone_evaluator_keep(evaluator, &judged, err);
    if (status == HONE_OK) *trial = judged;
    return status;
}
