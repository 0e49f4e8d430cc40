#include "insight/explanation.h"

#include <math.h>
#include <stdlib.h>

#include "insight/beside.h"
#include "insight/journal_space.h"

static bool is_counted(const struct hone_trial *trial)
{
    return hone_trial_metric(trial, "grid_blocks", 0) > 0;
}

// The trial of the same configuration in another recording; NULL where it has none.
static const struct hone_trial *same_in(const struct hone_recording *other,
                                        const struct hone_recording *recording,
                                        const struct hone_trial *trial, uint16_t *scratch)
{
    const struct hone_space *space = hone_recording_space(other);
    uint64_t index;
    if (!hone_recording_index_in(recording, trial, space, scratch, &index)) return NULL;
    const struct hone_trial *found = hone_recording_find(other, index);
    return found && found->outcome == HONE_VALID ? found : NULL;
}

// What all configurations that are explained have in common.
struct explainer {
    const struct hone_space *space; // of the recording
    const struct hone_recording *emulated;
    uint16_t *rows; // room for value numbers
};

static enum hone_status explain_trial(struct hone_explained *out,
                                      const struct hone_explanation *explanation,
                                      const struct hone_trial *trial,
                                      const struct explainer *with,
                                      struct hone_error *err)
{
    struct hone_work work;
    out->trial = trial;
    const enum hone_status status =
        hone_journal_work(&work, explanation->recording, with->space, trial, err);
    if (status != HONE_OK) return status;
    if (is_counted(trial)) out->counted = trial;
    if (!out->counted && with->emulated)
        out->counted = same_in(with->emulated, explanation->recording, trial, with->rows);
    if (!explanation->machine_known) return HONE_OK;
    hone_usage_find(&out->usage, &explanation->machine, &work, trial);
    hone_diagnosis_make(&out->diagnosis, &explanation->machine, &work,
                        out->counted ? out->counted : trial);
    struct hone_usage *usage = &out->diagnosis.usage;
    double share;
    const enum hone_limit limit = hone_beside_limit(&share, trial);
    if (usage->counted || limit == HONE_LIMIT_UNKNOWN) return HONE_OK;
    usage->limit = limit;
    usage->busy = share;
    return HONE_OK;
}

/* --- against the default --- */

// The valid trial of the author's default; NULL without one.
static const struct hone_trial *find_base(const struct hone_recording *recording)
{
    const struct hone_trial *trial = hone_recording_default(recording);
    return trial && trial->outcome == HONE_VALID ? trial : NULL;
}

static double ratio_at(const struct hone_neighbours *neighbours, size_t param,
                       uint16_t value)
{
    const struct hone_neighbour *found = hone_neighbours_get(neighbours, param, value);
    return found ? found->ratio : (double)NAN;
}

static enum hone_status find_differences(struct hone_explanation *out, uint16_t *rows,
                                         struct hone_error *err)
{
    const struct hone_space *space = hone_recording_space(out->recording);
    const size_t params = hone_space_param_count(space);
    uint16_t *own = rows, *base = rows + params;
    struct hone_neighbours around = {0};
    enum hone_status status =
        hone_neighbours_find(&around, out->recording, out->base.trial, err);
    out->differences = calloc(params + 1, sizeof *out->differences);
    if (status == HONE_OK && !out->differences)
        status = hone_no_memory(err, "for differences from the default");
    hone_space_choices(space, out->subject.trial->index, own);
    hone_space_choices(space, out->base.trial->index, base);
    for (size_t p = 0; status == HONE_OK && p < params; p++) {
        if (own[p] == base[p]) continue;
        out->differences[out->difference_count++] = (struct hone_config_difference){
            .param = p,
            .from = base[p],
            .to = own[p],
            .back = ratio_at(&out->neighbours, p, base[p]),
            .alone = ratio_at(&around, p, own[p])};
    }
    hone_neighbours_fini(&around);
    return status;
}

enum hone_status hone_explanation_make(struct hone_explanation *out,
                                       const struct hone_recording *recording,
                                       const struct hone_trial *trial,
                                       const struct hone_recording *emulated,
                                       struct hone_error *err)
{
    size_t params = hone_space_param_count(hone_recording_space(recording));
    if (emulated) params += hone_space_param_count(hone_recording_space(emulated));
    *out = (struct hone_explanation){.recording = recording};
    out->machine_known = hone_machine_of(&out->machine, hone_recording_info(recording));
    const struct hone_trial *base = find_base(recording);
    struct explainer with = {.emulated = emulated,
                             .rows = calloc(2 * params + 1, sizeof *with.rows)};
    struct hone_space *space = NULL;
    enum hone_status status =
        with.rows ? HONE_OK : hone_no_memory(err, "to explain a configuration");
    if (status == HONE_OK)
        status = hone_journal_space(&space, hone_recording_info(recording), err);
    with.space = space;
    if (status == HONE_OK) status = explain_trial(&out->subject, out, trial, &with, err);
    if (status == HONE_OK && base)
        status = explain_trial(&out->base, out, base, &with, err);
    if (status == HONE_OK)
        status = hone_neighbours_find(&out->neighbours, recording, trial, err);
    if (status == HONE_OK && base) status = find_differences(out, with.rows, err);
    hone_space_free(space);
    free(with.rows);
    return status;
}

void hone_explanation_fini(struct hone_explanation *explanation)
{
    hone_neighbours_fini(&explanation->neighbours);
    free(explanation->differences);
    *explanation = (struct hone_explanation){0};
}

/* --- what a change of one parameter does about a cause --- */

static bool is_cured(const struct hone_explanation *explanation,
                     const struct hone_trial *trial, const struct hone_found_cause *cause)
{
    struct hone_diagnosis there;
    hone_diagnosis_make(&there, &explanation->machine, &explanation->subject.usage.work,
                        trial);
    const struct hone_found_cause *left = hone_diagnosis_find(&there, cause->cause);
    if (cause->cause == HONE_CAUSE_SPILLS) return !left || left->have < cause->have / 2;
    return !left || left->gain < cause->gain / 2;
}

const struct hone_neighbour *
hone_explanation_mover(const struct hone_explanation *explanation,
                       const struct hone_found_cause *cause)
{
    const struct hone_neighbours *all = &explanation->neighbours;
    const struct hone_neighbour *best = NULL;
    const bool counted = explanation->subject.counted == explanation->subject.trial;
    const bool spills = cause->cause == HONE_CAUSE_SPILLS;
    if (!counted && !spills) return NULL; // nothing is known of neighbours
    for (size_t i = 0; i < all->count; i++) {
        const struct hone_neighbour *n = &all->items[i];
        if (n->ratio == (double)INFINITY || (best && best->ratio <= n->ratio)) continue;
        if (spills ? n->trial->resources.spill_store_bytes < 0 : !is_counted(n->trial))
            continue;
        if (is_cured(explanation, n->trial, cause)) best = n;
    }
    return best;
}
