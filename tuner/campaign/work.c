#include "campaign/work.h"

#include <stdlib.h>
#include <string.h>

#include "campaign/attempt.h"
#include "campaign/change.h"
#include "record/json_out.h"

// The commands of chosen runs that are open, for whoever starts them.
static enum hone_status list_commands(struct hone_campaign_work *work,
                                      const struct hone_engine_options *options,
                                      const bool *chosen, struct hone_error *err)
{
    const struct hone_campaign *campaign = options->campaign;
    struct hone_overview overview;
    enum hone_status status = hone_overview_make(&overview, campaign, err);
    for (size_t i = 0; status == HONE_OK && i < campaign->run_count; i++) {
        struct hone_argv argv = {0};
        work->listed_failed += chosen[i] && overview.states[i].phase == HONE_RUN_FAILED;
        if (!chosen[i] || !hone_run_is_open(&overview.states[i])) continue;
        status = hone_run_own_command(&argv, options->program, campaign, i, err);
        if (status == HONE_OK) hone_argv_text(&work->commands, &argv);
        hone_strbuf_add(&work->commands, "\n");
        hone_argv_fini(&argv);
    }
    hone_overview_fini(&overview);
    return status == HONE_OK && work->commands.failed
               ? hone_no_memory(err, "for commands")
               : status;
}

enum hone_status hone_campaign_do(struct hone_campaign_work *work,
                                  const struct hone_engine_options *options,
                                  enum hone_engine engine, const enum hone_engine *forced,
                                  struct hone_error *err)
{
    size_t count;
    bool *chosen;
    enum hone_status status = hone_campaign_chosen_of(
        &chosen, &count, options->campaign, options->chosen, engine, forced, err);
    if (status == HONE_OK && count && engine == HONE_ENGINE_SLURM) {
        status = hone_slurm_submit(&work->submitted, options->campaign, chosen,
                                   options->at_once, options->program, err);
    } else if (status == HONE_OK && count && engine == HONE_ENGINE_PRINT) {
        status = list_commands(work, options, chosen, err);
    } else if (status == HONE_OK && count) {
        struct hone_engine_options here = *options;
        here.chosen = chosen;
        here.any_engine = true;
        status = hone_engine_local(&work->here, &here, err);
    }
    free(chosen);
    return status;
}

void hone_campaign_work_fini(struct hone_campaign_work *work)
{
    hone_strbuf_fini(&work->commands);
}

size_t hone_campaign_failed(const struct hone_campaign_work *work)
{
    return work->here.failed + work->submitted.failed + work->listed_failed;
}

enum hone_status hone_campaign_verdict(const struct hone_campaign_work *work,
                                       const char *file, struct hone_error *err)
{
    const size_t failed = hone_campaign_failed(work);
    if (work->here.interrupted)
        return hone_fail(err, HONE_ECANCELLED,
                         "interrupted; what was measured is kept, and 'hone campaign "
                         "run' goes on");
    if (failed)
        return hone_fail(err, HONE_EDEVICE,
                         "%zu runs failed: 'hone campaign status %s' says why, 'hone "
                         "campaign retry' lets them be tried again",
                         failed, file);
    if (!work->here.unfinished) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE,
                     "%zu runs are not done, since their process, or that of the run "
                     "before, was ended from elsewhere: 'hone campaign run %s' goes on",
                     work->here.unfinished, file);
}

/* --- as a document --- */

static struct json_t *commands_json(const struct hone_strbuf *commands)
{
    struct json_t *list = hone_json_array();
    for (const char *at = commands->data; *at;) {
        const size_t len = strcspn(at, "\n");
        char *line = strndup(at, len);
        if (line) hone_json_append_lossy_text(list, line);
        free(line);
        at += len + (at[len] != '\0');
    }
    return list;
}

struct json_t *hone_campaign_work_json(const struct hone_campaign *campaign,
                                       const struct hone_campaign_work *work)
{
    struct json_t *root = hone_json_object();
    hone_json_text(root, "campaign", campaign->path);
    hone_json_unsigned(root, "begun", work->here.begun);
    hone_json_unsigned(root, "done", work->here.done);
    hone_json_unsigned(root, "failed", hone_campaign_failed(work));
    hone_json_unsigned(root, "left_to_others", work->here.left);
    hone_json_unsigned(root, "unfinished", work->here.unfinished);
    hone_json_bool(root, "interrupted", work->here.interrupted);
    hone_json_unsigned(root, "submitted", work->submitted.runs);
    hone_json_unsigned(root, "arrays", work->submitted.arrays);
    hone_json_unsigned(root, "queued_before", work->submitted.queued);
    hone_json_child(root, "commands", commands_json(&work->commands));
    return root;
}
