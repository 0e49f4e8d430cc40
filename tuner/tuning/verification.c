// Configurations are chosen, go through an evaluator, and what they did is counted.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "hone/rng.h"
#include "verification_parts.h"

enum hone_status hone_verification_choose(struct hone_verification *v,
                                          struct hone_error *err)
{
    const struct hone_workbench *bench = &v->bench;
    const uint64_t total = hone_space_count(bench->space);
    const bool one = v->options->only_default;
    uint64_t n = v->options->sample > total ? total : v->options->sample;
    if (one) n = 1;
    if (v->same.recording && n > hone_recording_count(v->same.recording))
        n = hone_recording_count(v->same.recording);
    v->indices = calloc((size_t)n + 1, sizeof *v->indices);
    v->trials = calloc((size_t)n + 1, sizeof *v->trials);
    if (!v->indices || !v->trials)
        return hone_no_memory(err, "for %zu configurations", (size_t)n);
    if (v->same.recording) return hone_verification_same_choose(v, n, err);
    struct hone_rng rng;
    hone_rng_seed(&rng, v->options->seed);
    v->count = hone_space_sample(bench->space, &rng, v->indices, (size_t)n);
    if (one) v->indices[0] = bench->has_default ? bench->default_index : 0;
    return HONE_OK;
}

static void note_trial(struct hone_verification *v, const struct hone_trial *trial)
{
    v->trials[v->done++] = *trial;
    v->outcomes[trial->outcome]++;
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        v->waived[i] += trial->waived[i] > 0;
    if (!isnan(trial->build_ms)) v->build_seconds += trial->build_ms / 1e3;
    if (!isnan(trial->evaluate_ms)) v->verify_seconds += trial->evaluate_ms / 1e3;
    if (v->options->progress)
        v->options->progress(v->options->context, v->done, v->count, v->seconds);
}

static enum hone_status evaluate_all(struct hone_verification *v, struct hone_error *err)
{
    struct hone_evaluator *evaluator = v->crew.evaluator;
    const double start = hone_clock_seconds();
    const size_t capacity = evaluator->fns->capacity(evaluator);
    size_t submitted = 0;
    while (v->done < v->count) {
        while (submitted < v->count && submitted - v->done < capacity) {
            enum hone_status status =
                evaluator->fns->submit(evaluator, v->indices[submitted], err);
            if (status != HONE_OK) return status;
            submitted++;
        }
        struct hone_trial trial;
        size_t got = 0;
        enum hone_status status = evaluator->fns->wait(evaluator, &trial, 1, &got, err);
        if (status != HONE_OK) return status;
        v->seconds = hone_clock_seconds() - start;
        if (!got) continue;
        status = hone_verification_same_judge(v, &trial, err);
        if (status != HONE_OK) return status;
        note_trial(v, &trial);
    }
    return HONE_OK;
}

// What was verified until then is told.
static enum hone_status interrupted(const struct hone_verification *v,
                                    struct hone_error *err)
{
    *err = (struct hone_error){0};
    return hone_fail(err, HONE_ECANCELLED, "interrupted after %zu of %zu configurations",
                     v->done, v->count);
}

uint64_t hone_verification_seed(const struct hone_verification *v)
{
    return v->same.recording ? hone_recording_info(v->same.recording)->seed
                             : v->options->seed;
}

// Sizes that nobody gave on the command line are not said to be wrong there.
// Nor is a size that another kernel's journal has.
static enum hone_status name_journal(const struct hone_verification *v,
                                     struct hone_error *err)
{
    const struct hone_error own = *err;
    struct hone_script_options script = *v->options->script_options;
    struct hone_workbench bench = {0};
    const struct hone_limits limits = {0}; // a name is the same on any GPU
    script.limits = &limits;
    script.set_count = 0;
    *err = (struct hone_error){0}; // or the first words would stay
    if (hone_workbench_load(&bench, v->options->script, &script, NULL) == HONE_OK)
        hone_verification_same_kernel(v, bench.def.name, err);
    hone_workbench_close(&bench);
    if (err->code != HONE_OK) return err->code;
    return hone_fail(err, HONE_EINPUT, "at the problem of '%s': %s", v->options->same_as,
                     own.text);
}

static enum hone_status verify(struct hone_verification *v, struct hone_error *err)
{
    struct hone_evaluate_options options = {.flags = HONE_EVALUATE_NO_TIME,
                                            .data_seed = hone_verification_seed(v),
                                            .deadline_s = v->options->launch_deadline_s};
    if (v->options->estimate && !v->options->only_default)
        options.flags |= HONE_EVALUATE_ESTIMATE;
    enum hone_status status = hone_verification_crew_open(v, &options, err);
    if (status == HONE_EUSAGE && v->same.recording) return name_journal(v, err);
    if (status == HONE_OK)
        status = hone_evaluate_sizes(v->bench.kernel, &options, &v->sizes, NULL, err);
    if (status == HONE_OK) status = evaluate_all(v, err);
    if (v->options->cancel && *v->options->cancel) status = interrupted(v, err);
    return status;
}

enum hone_status hone_verification_run(struct hone_verification *out,
                                       const struct hone_verification_options *options,
                                       struct hone_error *err)
{
    assert(options->script && options->script_options && options->device);
    *out = (struct hone_verification){.options = options};
    enum hone_status status = hone_verification_same_load(out, err);
    return status == HONE_OK ? verify(out, err) : status;
}

void hone_verification_close(struct hone_verification *v)
{
    hone_verification_crew_close(&v->crew);
    hone_verification_same_close(&v->same);
    hone_workbench_close(&v->bench);
    free(v->indices);
    free(v->trials);
}

enum hone_status hone_verification_verdict(const struct hone_verification *v,
                                           struct hone_error *err)
{
    size_t failures = 0;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        if (hone_outcome_is_failure((enum hone_outcome)i)) failures += v->outcomes[i];
    if (v->done && !v->outcomes[HONE_VALID]) {
        const enum hone_status sizes = hone_workbench_check_sizes(&v->bench, err);
        if (sizes != HONE_OK) return sizes;
    }
    if (failures)
        return hone_fail(err, HONE_EDEVICE, "%zu of %zu configurations failed", failures,
                         v->done);
    if (v->done && !v->outcomes[HONE_VALID])
        return hone_fail(err, HONE_EDEVICE,
                         "none of %zu configurations could be verified", v->done);
    return HONE_OK;
}
