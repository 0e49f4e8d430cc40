#include "campaign/change.h"

#include <stdlib.h>

#include "campaign/slurm.h"

enum hone_status hone_campaign_choose(bool **chosen, const struct hone_campaign *campaign,
                                      const char *const *ids, size_t count,
                                      struct hone_error *err)
{
    *chosen = calloc(campaign->run_count + 1, sizeof **chosen);
    if (!*chosen) return hone_no_memory(err, "for the runs of a campaign");
    for (size_t i = 0; i < campaign->run_count; i++)
        (*chosen)[i] = !count;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        size_t number;
        status = hone_campaign_find(&number, campaign, ids[i], err);
        if (status == HONE_OK) (*chosen)[number] = true;
    }
    return status;
}

enum hone_status hone_campaign_chosen_of(bool **some, size_t *count,
                                         const struct hone_campaign *campaign,
                                         const bool *chosen, enum hone_engine engine,
                                         const enum hone_engine *forced,
                                         struct hone_error *err)
{
    *count = 0;
    *some = calloc(campaign->run_count + 1, sizeof **some);
    if (!*some) return hone_no_memory(err, "for runs");
    for (size_t i = 0; i < campaign->run_count; i++) {
        const size_t device = campaign->runs[i].device;
        const enum hone_engine via =
            forced ? *forced : campaign->def->devices[device].via;
        (*some)[i] = chosen[i] && via == engine;
        *count += (*some)[i];
    }
    return HONE_OK;
}

enum hone_status hone_campaign_cancel(size_t *changed,
                                      const struct hone_campaign *campaign,
                                      const struct hone_overview *overview,
                                      const bool *chosen, struct hone_error *err)
{
    const char **jobs = calloc(campaign->run_count + 1, sizeof *jobs);
    size_t count = 0;
    *changed = 0;
    enum hone_status status = jobs ? HONE_OK : hone_no_memory(err, "for jobs");
    for (size_t i = 0; status == HONE_OK && i < campaign->run_count; i++) {
        const struct hone_run_state *state = &overview->states[i];
        if (!chosen[i] || !hone_run_is_open(state)) continue;
        status = hone_run_cancel(&campaign->runs[i], err);
        if (state->phase == HONE_RUN_QUEUED) jobs[count++] = state->job;
        ++*changed;
    }
    if (status == HONE_OK && count) hone_slurm_cancel(jobs, count);
    free(jobs);
    return status;
}

enum hone_status hone_campaign_retry(size_t *changed,
                                     const struct hone_campaign *campaign,
                                     const struct hone_overview *overview,
                                     const bool *chosen, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    *changed = 0;
    for (size_t i = 0; status == HONE_OK && i < campaign->run_count; i++) {
        const enum hone_run_phase phase = overview->states[i].phase;
        const bool over = phase == HONE_RUN_FAILED || phase == HONE_RUN_CANCELLED;
        if (!chosen[i] || !over) continue;
        status = hone_run_retry(&campaign->runs[i], err);
        ++*changed;
    }
    return status;
}
