// Going on with a journal: what it held is found again in this run's space, and what an
// earlier run was killed over is tried once more, or put away.
#include <stdio.h>
#include <stdlib.h>

#include "tuning_step.h"

enum { BEGUN_MOST = 2 };

// Trials of the earlier run, found again by their parameter values.
static enum hone_status map_trials(struct tuning_step *step,
                                   const struct hone_recording *done, uint16_t *choices,
                                   struct hone_error *err)
{
    struct tuning_earlier *earlier = &step->earlier;
    const size_t n = hone_recording_count(done), m = hone_recording_begun_count(done);
    earlier->trials = calloc(n + m + 1, sizeof *earlier->trials);
    if (!earlier->trials) return hone_no_memory(err, "for %zu earlier trials", n);
    for (size_t i = 0; i < n; i++) {
        struct hone_trial trial = *hone_recording_trial(done, i);
        hone_space_choices(hone_recording_space(done), trial.index, choices);
        if (hone_space_index(step->target.space, choices, &trial.index) != HONE_OK)
            continue;
        earlier->trials[earlier->count++] = trial;
    }
    return HONE_OK;
}

// One over which two runs were killed is not tried a third time.
static enum hone_status quarantine(struct tuning_step *step,
                                   const struct hone_begun *begun, uint64_t index,
                                   struct hone_error *err)
{
    struct hone_trial *trial = &step->earlier.trials[step->earlier.count++];
    *trial = hone_trial_make(index, HONE_CRASHED);
    trial->reason = hone_arena_printf(
        &step->target.arena, "%u runs ended while it was measured", begun->times);
    if (!trial->reason) return hone_no_memory(err, "to resume");
    return hone_journal_append(step->journal, trial, begun->choices, err);
}

static enum hone_status map_begun(struct tuning_step *step,
                                  const struct hone_recording *done,
                                  struct hone_error *err)
{
    struct tuning_earlier *earlier = &step->earlier;
    const size_t n = hone_recording_begun_count(done);
    enum hone_status status = HONE_OK;
    earlier->retried = calloc(n + 1, sizeof *earlier->retried);
    if (!earlier->retried) return hone_no_memory(err, "to resume");
    for (size_t i = 0; status == HONE_OK && i < n; i++) {
        const struct hone_begun *begun = hone_recording_begun(done, i);
        uint64_t index;
        if (hone_space_index(step->target.space, begun->choices, &index) != HONE_OK)
            continue;
        if (begun->times >= BEGUN_MOST)
            status = quarantine(step, begun, index, err);
        else
            earlier->retried[earlier->retried_count++] = index;
    }
    return status;
}

enum hone_status hone_tuning_earlier_find(struct tuning_step *step,
                                          struct hone_error *err)
{
    const struct hone_recording *done =
        hone_recording_problem(step->earlier.done, step->part.number);
    const size_t params = hone_space_param_count(step->target.space);
    uint16_t *choices = calloc(params + 1, sizeof *choices);
    if (!choices) return hone_no_memory(err, "to resume");
    enum hone_status status = map_trials(step, done, choices, err);
    if (status == HONE_OK) status = map_begun(step, done, err);
    free(choices);
    // Where nothing is left to measure, this is what there is to say.
    for (size_t i = 0; i < step->earlier.count; i++)
        if (step->first_failure.outcome == HONE_VALID)
            step->first_failure = step->earlier.trials[i];
    return status;
}

void hone_tuning_earlier_fini(struct tuning_earlier *earlier)
{
    hone_recording_free(earlier->done);
    free(earlier->trials);
    free(earlier->retried);
    *earlier = (struct tuning_earlier){0};
}
