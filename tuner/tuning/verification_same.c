// Do the kernels compute what they computed in another run, on
// another device, to the bit? Where both are exact they must, the emulator says where it
// is not; but a grid may be made for a GPU's multiprocessors, and sums with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/evaluator.h"
#include "hone/rng.h"
#include "verification_parts.h"

enum hone_status hone_verification_same_load(struct hone_verification *v,
                                             struct hone_error *err)
{
    return v->options->same_as
               ? hone_recording_load(&v->same.recording, v->options->same_as, err)
               : HONE_OK;
}

enum hone_status hone_verification_same_kernel(const struct hone_verification *v,
                                               const char *ours, struct hone_error *err)
{
    const char *theirs = hone_recording_info(v->same.recording)->kernel;
    if (strcmp(theirs, ours) == 0) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "'%s' is of kernel %s, the script's is %s",
                     v->options->same_as, theirs, ours);
}

static int by_index(const void *a, const void *b)
{
    const struct hone_verification_known *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

// All that the journal tells the outputs of, in the order of indices.
static enum hone_status find_known(struct hone_verification *v, struct hone_error *err)
{
    struct hone_verification_same *same = &v->same;
    const struct hone_space *from = hone_recording_space(same->recording);
    const size_t trials = hone_recording_count(same->recording);
    uint16_t *scratch =
        calloc(hone_space_param_count(from) + hone_space_param_count(v->bench.space) + 1,
               sizeof *scratch);
    same->known = calloc(trials + 1, sizeof *same->known);
    if (!scratch || !same->known) {
        free(scratch);
        return hone_no_memory(err, "for %zu configurations", trials);
    }
    for (size_t i = 0; i < trials; i++) {
        const struct hone_trial *trial = hone_recording_trial(same->recording, i);
        struct hone_verification_known *known = &same->known[same->count];
        known->trial = trial;
        if (trial->outcome == HONE_VALID && trial->outputs &&
            hone_recording_index_in(same->recording, trial, v->bench.space, scratch,
                                    &known->index))
            same->count++;
    }
    free(scratch);
    qsort(same->known, same->count, sizeof *same->known, by_index);
    return HONE_OK;
}

enum hone_status hone_verification_same_choose(struct hone_verification *v, uint64_t most,
                                               struct hone_error *err)
{
    struct hone_rng rng;
    struct hone_verification_same *same = &v->same;
    enum hone_status status =
        hone_verification_same_kernel(v, hone_kernel_get_def(v->bench.kernel)->name, err);
    if (status == HONE_OK) status = find_known(v, err);
    if (status != HONE_OK) return status;
    if (!same->count)
        return hone_fail(err, HONE_EINPUT,
                         "'%s' has no valid configuration of this space whose outputs it "
                         "tells",
                         v->options->same_as);
    hone_rng_seed(&rng, v->options->seed);
    v->count = 0;
    for (size_t i = 0; i < same->count; i++) // each with the chance that is left to it
        if (hone_rng_below(&rng, same->count - i) < most - v->count)
            v->indices[v->count++] = same->known[i].index;
    return HONE_OK;
}

// One size of all that were drawn, which the journal may have in another order.
static enum hone_status take_size(struct hone_verification *v, size_t k,
                                  struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(v->same.recording);
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    const struct hone_constant *size = &def->space.constants[k];
    size_t from = 0;
    while (from < info->problem_count &&
           (strcmp(info->problem[from].name, size->name) != 0 ||
            info->problem[from].value.type != size->value.type))
        from++;
    if (from == info->problem_count && info->drawn_sizes)
        return hone_fail(err, HONE_EINPUT,
                         "'%s' was verified at sizes without '%s' of the script's "
                         "problem: tune again",
                         v->options->same_as, size->name);
    for (size_t i = 0; i < info->drawn_sizes; i++)
        v->same.drawn[i * def->problem_count + k] =
            info->drawn[i * info->problem_count + from];
    return HONE_OK;
}

enum hone_status hone_verification_same_sizes(struct hone_verification *v,
                                              struct hone_evaluate_options *options,
                                              struct hone_error *err)
{
    if (!v->same.recording) return HONE_OK;
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    const uint64_t count = hone_recording_info(v->same.recording)->drawn_sizes;
    v->same.drawn = calloc(count * def->problem_count + 1, sizeof *v->same.drawn);
    if (!v->same.drawn) return hone_no_memory(err, "for the journal's sizes");
    enum hone_status status = HONE_OK;
    if (!count && def->draw_count)
        return hone_fail(err, HONE_EINPUT,
                         "'%s' tells of no drawn sizes, which the script has now: its "
                         "run was verified at others; tune again",
                         v->options->same_as);
    for (size_t k = 0; status == HONE_OK && k < def->problem_count; k++)
        status = take_size(v, k, err);
    options->drawn = v->same.drawn;
    options->drawn_sizes = (size_t)count;
    return status;
}

static bool is_like_gpu(const struct hone_verification *v)
{
    const struct hone_limits *theirs = hone_recording_info(v->same.recording)->limits;
    return !theirs || theirs->sm_count == v->bench.limits.sm_count;
}

static bool is_exact(const struct hone_trial *trial)
{
    return !trial->fidelity[0] || strcmp(trial->fidelity, "exact") == 0;
}

// What it says then lives until the evaluator is closed.
static enum hone_status refute(struct hone_verification *v, struct hone_trial *trial,
                               const struct hone_trial *known, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(v->same.recording);
    const struct hone_found found = {.finding = HONE_FINDING_MISMATCH};
    char reason[HONE_REASON_MAX];
    snprintf(reason, sizeof reason, "other bits than on %s: hash %016llx, there %016llx",
             info->device_name ? info->device_name : "the journal's device",
             (unsigned long long)trial->outputs, (unsigned long long)known->outputs);
    struct hone_trial refuted = *trial;
    refuted.outcome = HONE_WRONG_RESULT;
    refuted.found = &found;
    refuted.reason = reason;
    enum hone_status status = hone_evaluator_keep(v->crew.evaluator, &refuted, err);
    if (status == HONE_OK) *trial = refuted;
    return status;
}

enum hone_status hone_verification_same_judge(struct hone_verification *v,
                                              struct hone_trial *trial,
                                              struct hone_error *err)
{
    const struct hone_verification_known key = {.index = trial->index};
    if (!v->same.recording || trial->outcome != HONE_VALID || !trial->outputs)
        return HONE_OK;
    const struct hone_verification_known *known =
        bsearch(&key, v->same.known, v->same.count, sizeof key, by_index);
    if (!known) return HONE_OK;
    if (known->trial->outputs != trial->outputs && is_exact(trial) &&
        is_exact(known->trial) && is_like_gpu(v))
        return refute(v, trial, known->trial, err);
    if (known->trial->outputs == trial->outputs)
        v->same.equal++;
    else
        v->same.apart++;
    return HONE_OK;
}

void hone_verification_same_close(struct hone_verification_same *same)
{
    hone_recording_free(same->recording);
    free(same->known);
    free(same->drawn);
    *same = (struct hone_verification_same){0};
}
