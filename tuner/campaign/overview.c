#include "campaign/overview.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "campaign/slurm.h"

// Journals of running runs that are read for a status: it must not take long.
enum { JOURNALS_MOST = 100 };

bool hone_run_is_open(const struct hone_run_state *state)
{
    return state->phase != HONE_RUN_DONE && state->phase != HONE_RUN_FAILED &&
           state->phase != HONE_RUN_CANCELLED;
}

static bool is_active(const struct hone_run_state *state)
{
    return state->phase == HONE_RUN_RUNNING || state->phase == HONE_RUN_STALE;
}

static void look_into_journals(struct hone_overview *o,
                               const struct hone_campaign *campaign)
{
    size_t read = 0;
    for (size_t i = 0; i < campaign->run_count && read < JOURNALS_MOST; i++) {
        if (!is_active(&o->states[i])) continue;
        // One that is being written may be between two states; the next look sees more.
        hone_run_figures_read(&o->states[i].figures, &campaign->runs[i], NULL);
        read++;
    }
}

// Jobs that Slurm does not know any more were cancelled there, or lost with it.
static void ask_queue(struct hone_overview *o, size_t count)
{
    struct hone_slurm_queue queue = {0};
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || o->states[i].phase == HONE_RUN_QUEUED;
    if (any && hone_slurm_queue_read(&queue, NULL) == HONE_OK)
        for (size_t i = 0; i < count; i++) {
            struct hone_run_state *state = &o->states[i];
            if (state->phase != HONE_RUN_QUEUED || hone_slurm_has(&queue, state->job))
                continue;
            state->phase =
                state->starts && !state->tries ? HONE_RUN_INTERRUPTED : HONE_RUN_WAITING;
        }
    hone_slurm_queue_fini(&queue);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// "sgemm-0123456789abcdef"
static bool is_run_folder(const char *name)
{
    const char *dash = strrchr(name, '-');
    return dash && strlen(dash + 1) == HONE_RUN_ID - 1 &&
           !dash[1 + strspn(dash + 1, "0123456789abcdef")];
}

static enum hone_status count_superseded(struct hone_overview *o,
                                         const struct hone_campaign *campaign,
                                         struct hone_error *err)
{
    const char **names = calloc(campaign->run_count + 1, sizeof *names);
    DIR *folder = opendir(campaign->state);
    const struct dirent *entry;
    if (!names) {
        if (folder) closedir(folder);
        return hone_no_memory(err, "for the state of a campaign");
    }
    for (size_t i = 0; i < campaign->run_count; i++)
        names[i] = strrchr(campaign->runs[i].folder, '/') + 1;
    qsort(names, campaign->run_count, sizeof *names, by_name);
    while (folder && (entry = readdir(folder))) {
        const char *name = entry->d_name;
        if (is_run_folder(name) &&
            !bsearch(&name, names, campaign->run_count, sizeof *names, by_name))
            o->superseded++;
    }
    if (folder) closedir(folder);
    free(names);
    return HONE_OK;
}

// As long as those of the same kernel and device took that are done, else as all did.
static void estimate(struct hone_overview *o, const struct hone_campaign *campaign,
                     const bool *chosen)
{
    const size_t devices = campaign->def->device_count;
    const size_t cells = campaign->def->kernel_count * devices;
    double *seconds = calloc(cells + 1, sizeof *seconds), all = 0;
    size_t *counts = calloc(cells + 1, sizeof *counts), done = 0;
    o->left_s = NAN;
    for (size_t i = 0; seconds && counts && i < campaign->run_count; i++) {
        const struct hone_campaign_run *run = &campaign->runs[i];
        if (o->states[i].phase != HONE_RUN_DONE) continue;
        seconds[run->kernel * devices + run->device] += o->states[i].seconds;
        counts[run->kernel * devices + run->device]++;
        all += o->states[i].seconds;
        done++;
    }
    if (done) o->left_s = 0;
    for (size_t i = 0; done && i < campaign->run_count; i++) {
        const size_t cell = campaign->runs[i].kernel * devices + campaign->runs[i].device;
        if ((chosen && !chosen[i]) || !hone_run_is_open(&o->states[i])) continue;
        o->left_s +=
            counts[cell] ? seconds[cell] / (double)counts[cell] : all / (double)done;
    }
    free(seconds);
    free(counts);
}

void hone_overview_count(struct hone_overview *overview,
                         const struct hone_campaign *campaign, const bool *chosen)
{
    memset(overview->counts, 0, sizeof overview->counts);
    overview->counted = 0;
    for (size_t i = 0; i < campaign->run_count; i++) {
        if (chosen && !chosen[i]) continue;
        overview->counts[overview->states[i].phase]++;
        overview->counted++;
    }
    estimate(overview, campaign, chosen);
}

enum hone_status hone_overview_make(struct hone_overview *out,
                                    const struct hone_campaign *campaign,
                                    struct hone_error *err)
{
    const int64_t now = hone_date_now();
    *out = (struct hone_overview){.left_s = NAN};
    out->states = calloc(campaign->run_count + 1, sizeof *out->states);
    if (!out->states) return hone_no_memory(err, "for the state of a campaign");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < campaign->run_count; i++)
        status = hone_run_state_read(&out->states[i], &campaign->runs[i],
                                     (unsigned)campaign->def->tries, now, err);
    if (status == HONE_OK) status = count_superseded(out, campaign, err);
    if (status != HONE_OK) return status;
    look_into_journals(out, campaign);
    ask_queue(out, campaign->run_count);
    hone_overview_count(out, campaign, NULL);
    return HONE_OK;
}

void hone_overview_fini(struct hone_overview *overview)
{
    free(overview->states);
    *overview = (struct hone_overview){0};
}
