#include "tuning/explaining.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "tuning/probe.h"
#include "tuning/script_sets.h"

/* --- around a configuration --- */

struct around_run {
    const struct hone_around *around;
    uint16_t *own, *base, *between; // [params] value numbers
};

// What differs from the default one by one, on either side.
static enum hone_status add_between(struct hone_probe_list *list,
                                    const struct around_run *run, struct hone_error *err)
{
    const struct hone_space *space = list->target->space;
    const size_t params = hone_space_param_count(space);
    const uint16_t *const ends[2] = {run->own, run->base};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < 2 * params; i++) {
        const size_t p = i / 2;
        uint64_t index;
        if (run->own[p] == run->base[p]) continue;
        memcpy(run->between, ends[i % 2], params * sizeof *run->between);
        run->between[p] = ends[1 - i % 2][p];
        if (hone_space_index(space, run->between, &index) == HONE_OK)
            status = hone_probe_add(list, index, err);
    }
    return status;
}

static enum hone_status choose_around(void *context, struct hone_probe_list *list,
                                      struct hone_error *err)
{
    struct around_run *run = context;
    const struct hone_around *around = run->around;
    const struct hone_space *space = list->target->space;
    const size_t params = hone_space_param_count(space);
    uint64_t index, base;
    enum hone_status status = hone_probe_add_default(list, &base, err);
    run->own = calloc(3 * params + 1, sizeof *run->own);
    if (status == HONE_OK && !run->own)
        status = hone_no_memory(err, "for a configuration");
    if (status != HONE_OK) return status;
    run->base = run->own + params;
    run->between = run->base + params;
    hone_space_choices(space, base, run->base);
    memcpy(run->own, run->base, params * sizeof *run->own);
    status =
        hone_config_change(run->own, space, around->config, around->config_count, err);
    if (status == HONE_OK && hone_space_index(space, run->own, &index) != HONE_OK)
        status = hone_fail(err, HONE_EUSAGE,
                           "--config: the constraints forbid that configuration: the "
                           "rest is as in the default");
    if (status == HONE_OK) status = hone_probe_add(list, index, err);
    if (status == HONE_OK)
        status = hone_probe_add_neighbours(list, index, around->neighbours, err);
    return status == HONE_OK ? add_between(list, run, err) : status;
}

static enum hone_status find_own(const struct hone_trial **trial,
                                 const struct hone_recording *recording,
                                 const uint16_t *own, struct hone_error *err)
{
    uint64_t index;
    *trial = NULL;
    if (hone_space_index(hone_recording_space(recording), own, &index) == HONE_OK)
        *trial = hone_recording_find(recording, index);
    if (*trial && (*trial)->outcome == HONE_VALID) return HONE_OK;
    const bool formula = *trial && (*trial)->found->finding == HONE_FINDING_FORMULA;
    return hone_fail(err, formula ? HONE_EINPUT : HONE_EDEVICE,
                     "the configuration is not valid: %s: %s",
                     hone_outcome_name(*trial ? (*trial)->outcome : HONE_REJECTED),
                     *trial ? (*trial)->reason : "it was not run");
}

enum hone_status hone_around_run(struct hone_recording **out,
                                 const struct hone_trial **trial,
                                 const struct hone_around *around, struct hone_error *err)
{
    struct around_run run = {.around = around};
    const struct hone_probe_options probe = {
        .tuning = around->tuning, .choose = choose_around, .context = &run};
    enum hone_status status = hone_probe_run(out, &probe, err);
    if (status == HONE_OK) status = find_own(trial, *out, run.own, err);
    free(run.own);
    return status;
}

/* --- trials of a journal again --- */

struct again_run {
    const struct hone_again *again;
    bool changed; // the template, since the recording
};

static bool same_text(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static enum hone_status choose_again(void *context, struct hone_probe_list *list,
                                     struct hone_error *err)
{
    struct again_run *run = context;
    const struct hone_again *again = run->again;
    const struct hone_record_info *info = hone_recording_info(again->recording);
    const struct hone_space *space = list->target->space;
    const size_t params = hone_space_param_count(space) +
                          hone_space_param_count(hone_recording_space(again->recording));
    run->changed = !same_text(info->template_hash, list->target->info.template_hash);
    if (run->changed && !again->force) return HONE_OK;
    uint16_t *scratch = calloc(params + 1, sizeof *scratch);
    if (!scratch) return hone_no_memory(err, "for a configuration");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < again->count; i++) {
        uint64_t index;
        if (hone_recording_index_in(again->recording, again->trials[i], space, scratch,
                                    &index))
            status = hone_probe_add(list, index, err);
    }
    free(scratch);
    return status;
}

enum hone_status hone_again_run(struct hone_recording **out, bool *changed,
                                const struct hone_again *again, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(again->recording);
    struct again_run run = {.again = again};
    struct hone_tuning_options options = *again->tuning;
    const struct hone_probe_options probe = {
        .tuning = &options, .choose = choose_again, .context = &run};
    struct hone_script_set *sets = NULL;
    *out = NULL;
    enum hone_status status = hone_problem_sets(&sets, info, err);
    options.set = sets;
    options.set_count = info->problem_count;
    if (status == HONE_OK) status = hone_probe_run(out, &probe, err);
    *changed = run.changed;
    if (status == HONE_OK && run.changed && !again->force) {
        hone_recording_free(*out);
        *out = NULL;
    }
    free(sets);
    return status;
}
