// hone check --same-as: do the kernels compute what they computed in another run, on
// another device, to the bit? Where both are exact they must, the emulator says where it
// is not; but a grid may be made for a GPU's multiprocessors, and sums with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check_command.h"

enum hone_status check_same_load(struct check *c, struct hone_error *err)
{
    return c->args->same_as
               ? hone_recording_load(&c->same.recording, c->args->same_as, err)
               : HONE_OK;
}

static enum hone_status check_kernel(const struct check *c, struct hone_error *err)
{
    const char *theirs = hone_recording_info(c->same.recording)->kernel;
    const char *ours = hone_kernel_get_def(c->bench.kernel)->name;
    if (strcmp(theirs, ours) == 0) return HONE_OK;
    return hone_fail(err, HONE_EINPUT, "'%s' is of kernel %s, the script's is %s",
                     c->args->same_as, theirs, ours);
}

static int by_index(const void *a, const void *b)
{
    const struct check_known *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

// All that the journal tells the outputs of, in the order of indices.
static enum hone_status find_known(struct check *c, struct hone_error *err)
{
    struct check_same *same = &c->same;
    const struct hone_space *from = hone_recording_space(same->recording);
    const size_t trials = hone_recording_count(same->recording);
    uint16_t *scratch =
        calloc(hone_space_param_count(from) + hone_space_param_count(c->bench.space) + 1,
               sizeof *scratch);
    same->known = calloc(trials + 1, sizeof *same->known);
    if (!scratch || !same->known) {
        free(scratch);
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu configurations",
                         trials);
    }
    for (size_t i = 0; i < trials; i++) {
        const struct hone_trial *trial = hone_recording_trial(same->recording, i);
        struct check_known *known = &same->known[same->count];
        known->trial = trial;
        if (trial->outcome == HONE_VALID && trial->outputs &&
            hone_recording_index_in(same->recording, trial, c->bench.space, scratch,
                                    &known->index))
            same->count++;
    }
    free(scratch);
    qsort(same->known, same->count, sizeof *same->known, by_index);
    return HONE_OK;
}

enum hone_status check_same_choose(struct check *c, uint64_t most, struct hone_error *err)
{
    struct hone_rng rng;
    struct check_same *same = &c->same;
    enum hone_status status = check_kernel(c, err);
    if (status == HONE_OK) status = find_known(c, err);
    if (status != HONE_OK) return status;
    if (!same->count)
        return hone_fail(err, HONE_EINPUT,
                         "'%s' has no valid configuration of this space whose outputs it "
                         "tells",
                         c->args->same_as);
    hone_rng_seed(&rng, c->args->seed);
    c->count = 0;
    for (size_t i = 0; i < same->count; i++) // each with the chance that is left to it
        if (hone_rng_below(&rng, same->count - i) < most - c->count)
            c->indices[c->count++] = same->known[i].index;
    return HONE_OK;
}

// One size of all that were drawn, which the journal may have in another order.
static enum hone_status take_size(struct check *c, size_t k, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(c->same.recording);
    const struct hone_kernel_def *def = hone_kernel_get_def(c->bench.kernel);
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
                         c->args->same_as, size->name);
    for (size_t i = 0; i < info->drawn_sizes; i++)
        c->same.drawn[i * def->problem_count + k] =
            info->drawn[i * info->problem_count + from];
    return HONE_OK;
}

enum hone_status check_same_sizes(struct check *c, struct hone_evaluate_options *options,
                                  struct hone_error *err)
{
    if (!c->same.recording) return HONE_OK;
    const struct hone_kernel_def *def = hone_kernel_get_def(c->bench.kernel);
    const uint64_t count = hone_recording_info(c->same.recording)->drawn_sizes;
    c->same.drawn = calloc(count * def->problem_count + 1, sizeof *c->same.drawn);
    if (!c->same.drawn)
        return hone_fail(err, HONE_ENOMEM, "out of memory for the journal's sizes");
    enum hone_status status = HONE_OK;
    if (!count && def->draw_count)
        return hone_fail(err, HONE_EINPUT,
                         "'%s' tells of no drawn sizes, which the script has now: its "
                         "run was verified at others; tune again",
                         c->args->same_as);
    for (size_t k = 0; status == HONE_OK && k < def->problem_count; k++)
        status = take_size(c, k, err);
    options->drawn = c->same.drawn;
    options->drawn_sizes = (size_t)count;
    return status;
}

static bool is_like_gpu(const struct check *c)
{
    const struct hone_limits *theirs = hone_recording_info(c->same.recording)->limits;
    return !theirs || theirs->sm_count == c->bench.limits.sm_count;
}

static bool is_exact(const struct hone_trial *trial)
{
    return !trial->fidelity[0] || strcmp(trial->fidelity, "exact") == 0;
}

void check_same_judge(struct check *c, struct hone_trial *trial)
{
    const struct check_known key = {.index = trial->index};
    if (!c->same.recording || trial->outcome != HONE_VALID || !trial->outputs) return;
    const struct check_known *known =
        bsearch(&key, c->same.known, c->same.count, sizeof key, by_index);
    if (!known) return;
    if (known->trial->outputs == trial->outputs) {
        c->same.equal++;
    } else if (!is_exact(trial) || !is_exact(known->trial) || !is_like_gpu(c)) {
        c->same.apart++;
    } else {
        const struct hone_record_info *info = hone_recording_info(c->same.recording);
        trial->outcome = HONE_WRONG_RESULT;
        trial->found.finding = HONE_FINDING_MISMATCH;
        snprintf(trial->reason, sizeof trial->reason,
                 "other bits than on %s: hash %016llx, there %016llx",
                 info->device_name ? info->device_name : "the journal's device",
                 (unsigned long long)trial->outputs,
                 (unsigned long long)known->trial->outputs);
    }
}

void check_same_close(struct check_same *same)
{
    hone_recording_free(same->recording);
    free(same->known);
    free(same->drawn);
    *same = (struct check_same){0};
}
