// The overview as a document.
#include <math.h>

#include "campaign/overview.h"
#include "record/json_out.h"

static struct json_t *problem_json(const struct hone_campaign *campaign,
                                   const struct hone_campaign_run *run)
{
    const struct hone_campaign_source *source = &campaign->sources[run->kernel];
    struct json_t *problem = hone_json_object();
    for (size_t i = 0; i < source->name_count; i++)
        hone_json_value(problem, source->names[i].name, run->values[i]);
    return problem;
}

// JSON has null for what is not known.
static double known(double figure)
{
    return figure > 0 ? figure : (double)NAN;
}

static void add_figures(struct json_t *json, const struct hone_run_figures *figures)
{
    hone_json_unsigned(json, "trials", figures->trials);
    hone_json_unsigned(json, "valid", figures->valid);
    hone_json_number(json, "best", known(figures->best));
    hone_json_number(json, "default", known(figures->base));
    hone_json_number(json, "gain", known(figures->gain));
    hone_json_bool(json, "predicted", figures->predicted);
}

static struct json_t *run_json(const struct hone_campaign *campaign, size_t number,
                               const struct hone_run_state *state)
{
    const struct hone_campaign_run *run = &campaign->runs[number];
    struct json_t *json = hone_json_object();
    hone_json_text(json, "run", run->id);
    hone_json_text(json, "state", hone_run_phase_name(state->phase));
    hone_json_text(json, "kernel", campaign->sources[run->kernel].result);
    hone_json_text(json, "device", campaign->def->devices[run->device].label);
    hone_json_child(json, "problem", problem_json(campaign, run));
    hone_json_unsigned(json, "seed", run->seed);
    hone_json_text(json, "after",
                   run->after == HONE_RUN_NONE ? NULL : campaign->runs[run->after].id);
    hone_json_text(json, "folder", run->folder);
    hone_json_integer(json, "starts", state->starts);
    hone_json_integer(json, "tries", state->tries);
    if (state->host[0])
        hone_json_lossy_text(json, "host", state->host); // it may be cut within a letter
    else
        hone_json_text(json, "host", NULL);
    hone_json_text(json, "job", state->job[0] ? state->job : NULL);
    hone_json_number(json, "seconds", state->seconds);
    hone_json_number(json, "age", state->age);
    add_figures(json, &state->figures);
    if (state->reason[0])
        hone_json_lossy_text(json, "reason", state->reason);
    else
        hone_json_text(json, "reason", NULL);
    return json;
}

struct json_t *hone_overview_json(const struct hone_campaign *campaign,
                                  const struct hone_overview *overview,
                                  const bool *chosen)
{
    struct json_t *root = hone_json_object(), *counts = hone_json_object(),
                  *runs = hone_json_array();
    hone_json_text(root, "campaign", campaign->path);
    hone_json_text(root, "folder", campaign->state);
    hone_json_text(root, "output", campaign->output);
    for (int i = 0; i < HONE_RUN_PHASES; i++)
        hone_json_unsigned(counts, hone_run_phase_name((enum hone_run_phase)i),
                           overview->counts[i]);
    hone_json_child(root, "counts", counts);
    hone_json_unsigned(root, "superseded", overview->superseded);
    hone_json_number(root, "seconds_left", overview->left_s);
    for (size_t i = 0; i < campaign->run_count; i++)
        if (chosen[i])
            hone_json_append(runs, run_json(campaign, i, &overview->states[i]));
    hone_json_child(root, "runs", runs);
    return root;
}
