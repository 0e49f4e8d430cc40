// What a run found, from its journal.
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "campaign/state.h"
#include "hone/record.h"

static void compare(struct hone_run_figures *out, const struct hone_recording *recording)
{
    const struct hone_trial *best = hone_recording_best(recording);
    const struct hone_trial *base = hone_recording_default(recording);
    struct hone_gain gain;
    if (best) out->best = hone_trial_cost(best);
    if (base && isfinite(hone_trial_cost(base))) out->base = hone_trial_cost(base);
    if (best && base && hone_finals_gain(&gain, best, base))
        out->gain = gain.ratio;
    else if (out->best > 0 && out->base > 0)
        out->gain = out->base / out->best;
}

enum hone_status hone_run_figures_read(struct hone_run_figures *out,
                                       const struct hone_campaign_run *run,
                                       struct hone_error *err)
{
    struct hone_recording *recording = NULL;
    enum hone_status status = HONE_OK;
    char *journal = hone_run_file(run, HONE_RUN_JOURNAL);
    *out = (struct hone_run_figures){0};
    if (!journal) return hone_no_memory(err, "for a run's files");
    if (hone_file_exists(journal)) status = hone_recording_load(&recording, journal, err);
    free(journal);
    if (!recording) return status;
    out->trials = hone_recording_count(recording);
    out->predicted = hone_recording_info(recording)->times == HONE_TIME_PREDICTED;
    for (size_t i = 0; i < out->trials; i++)
        out->valid += hone_recording_trial(recording, i)->outcome == HONE_VALID;
    compare(out, recording);
    hone_recording_free(recording);
    return HONE_OK;
}
