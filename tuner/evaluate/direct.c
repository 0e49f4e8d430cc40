// Every stage in this process on one device. A submitted configuration is resolved and
// its builds queued at once; waiting takes the oldest one through prune, verify and time
// while the pool builds those behind it. So trials come back in the order of submission,
// whatever finished first.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidate.h"
#include "clock.h"
#include "evaluator.h"
#include "log.h"
#include "memo.h"
#include "module.h"
#include "verify.h"

struct direct {
    const struct hone_kernel *kernel;
    struct hone_device *device;
    struct hone_builder *builder;
    struct hone_evaluate_options options;
    struct hone_candidate *queue; // ring of capacity
    size_t capacity, oldest, in_flight;
    struct hone_verifier *verifiers; // one a problem; none without verification
    size_t verifier_count;
    bool at_tuned;              // verifies at the tuned problem only, on verifiers[0]
    struct hone_buffers timing; // for the tuned problem, made when first needed
    struct hone_memo memo;
    char lost[HONE_REASON_MAX]; // why the device is of no more use; "" while it is
};

static size_t direct_capacity(struct hone_evaluator *evaluator)
{
    const struct direct *direct = evaluator->priv;
    return direct->capacity;
}

static enum hone_status check_alive(const struct direct *direct, struct hone_error *err)
{
    if (!direct->lost[0]) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "device %s is lost: %s", direct->device->id,
                     direct->lost);
}

static enum hone_status direct_submit(struct hone_evaluator *evaluator, uint64_t index,
                                      struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    assert(direct->in_flight < direct->capacity);
    enum hone_status status = check_alive(direct, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidate =
        &direct->queue[(direct->oldest + direct->in_flight) % direct->capacity];
    const struct hone_kernel_def *def = hone_kernel_get_def(direct->kernel);
    const bool verifies = direct->verifier_count && !direct->at_tuned;
    status = hone_candidate_init(candidate, direct->kernel, index, def->verify,
                                 verifies ? def->verify_count : 0, err);
    if (status == HONE_OK)
        status = hone_candidate_queue(candidate, direct->builder,
                                      direct->device->limits.arch, err);
    if (status == HONE_OK)
        direct->in_flight++;
    else
        hone_candidate_fini(candidate, direct->builder);
    return status;
}

// --- verifying and timing one candidate ---

static enum hone_status verify_variant(struct direct *direct,
                                       struct hone_verifier *verifier,
                                       const struct hone_variant *variant,
                                       struct hone_fault *fault, struct hone_error *err)
{
    struct hone_module *module = NULL;
    enum hone_status status = hone_module_load(direct->device, variant->build,
                                               &variant->job, &module, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID)
        status = hone_verifier_check(verifier, module, &variant->job, fault, err);
    if (module) direct->device->fns->unload(direct->device, module);
    return status;
}

static enum hone_status verify(struct direct *direct,
                               const struct hone_candidate *candidate,
                               struct hone_fault *fault, struct hone_error *err)
{
    for (size_t i = 0; i < direct->verifier_count; i++) {
        const struct hone_variant *variant =
            &candidate->variants[direct->at_tuned ? 0 : i + 1];
        enum hone_status status =
            verify_variant(direct, &direct->verifiers[i], variant, fault, err);
        if (status != HONE_OK || fault->outcome != HONE_VALID) return status;
    }
    return HONE_OK;
}

// Buffers of the tuned problem: those verified on, or own ones, made anew when sizes
// change.
static enum hone_status get_timing_buffers(struct direct *direct,
                                           const struct hone_job *job,
                                           struct hone_buffers **out,
                                           struct hone_error *err)
{
    *out = direct->at_tuned ? &direct->verifiers[0].buffers : &direct->timing;
    if (!hone_buffers_mismatch(*out, job)) return HONE_OK;
    hone_buffers_fini(&direct->timing);
    *out = &direct->timing;
    enum hone_status status =
        hone_buffers_init(&direct->timing, direct->device, job, err);
    if (status == HONE_OK)
        status = hone_buffers_randomise(&direct->timing, direct->options.data_seed, err);
    return status;
}

static void keep_timing(struct hone_trial *trial, const struct hone_timing *timing)
{
    trial->time_us = timing->time_us;
    trial->predicted_us = timing->predicted_us;
    trial->rel_std = timing->rel_std;
    trial->samples = timing->samples;
    trial->metric_count = timing->metric_count;
    memcpy(trial->metrics, timing->metrics, sizeof trial->metrics);
}

static enum hone_status time_variant(struct direct *direct,
                                     const struct hone_variant *variant,
                                     struct hone_trial *trial, struct hone_fault *fault,
                                     struct hone_error *err)
{
    struct hone_device *device = direct->device;
    struct hone_buffers *buffers = NULL;
    struct hone_error full = {0};
    enum hone_status status = get_timing_buffers(direct, &variant->job, &buffers, &full);
    if (status ==
        HONE_ELIMIT) { // too much memory: for this configuration, perhaps not others
        fault->outcome = HONE_REJECTED;
        snprintf(fault->reason, sizeof fault->reason, "%.*s", HONE_REASON_MAX - 1,
                 full.text);
        return HONE_OK;
    }
    if (status != HONE_OK)
        return hone_fail_at(err, status, full.source, full.line, "%s", full.text);
    struct hone_module *module = NULL;
    status = hone_module_load(device, variant->build, &variant->job, &module, fault, err);
    if (status == HONE_OK && fault->outcome == HONE_VALID) {
        struct hone_launch launch =
            hone_buffers_launch(buffers, &variant->job, direct->options.deadline_s);
        struct hone_timing timing = {.time_us = (double)NAN, .predicted_us = (double)NAN};
        status = device->fns->time(device, module, &launch, &direct->options.policy,
                                   &timing, fault, err);
        if (status == HONE_OK && fault->outcome == HONE_VALID)
            keep_timing(trial, &timing);
    }
    if (module) device->fns->unload(device, module);
    return status;
}

static enum hone_status measure(struct direct *direct, struct hone_candidate *candidate,
                                struct hone_error *err)
{
    struct hone_trial *trial = &candidate->trial;
    struct hone_fault fault = {.outcome = HONE_VALID};
    const double start = hone_clock_seconds();
    enum hone_status status = verify(direct, candidate, &fault, err);
    if (status == HONE_OK && fault.outcome == HONE_VALID &&
        !(direct->options.flags & HONE_EVALUATE_NO_TIME))
        status = time_variant(direct, &candidate->variants[0], trial, &fault, err);
    trial->evaluate_ms = (hone_clock_seconds() - start) * 1e3;
    trial->outcome = fault.outcome;
    memcpy(trial->reason, fault.reason, sizeof trial->reason);
    if (fault.outcome != HONE_VALID && fault.sticky)
        snprintf(direct->lost, sizeof direct->lost, "%s", fault.reason);
    return status;
}

// An equal image was measured before: its figures are this one's, but for what was not
// spent.
static void copy_figures(struct hone_trial *trial, const struct hone_trial *equal)
{
    const struct hone_trial own = *trial;
    *trial = *equal;
    trial->index = own.index;
    trial->resources = own.resources;
    trial->build_ms = own.build_ms;
    trial->evaluate_ms = 0;
}

static enum hone_status evaluate(struct direct *direct, struct hone_candidate *candidate,
                                 struct hone_error *err)
{
    enum hone_status status =
        hone_candidate_take(candidate, direct->builder, &direct->device->limits, err);
    if (status != HONE_OK || candidate->trial.outcome != HONE_VALID) return status;
    char key[HONE_HASH_TEXT];
    hone_candidate_key(candidate, key);
    const struct hone_trial *equal = hone_memo_find(&direct->memo, key);
    if (equal) {
        copy_figures(&candidate->trial, equal);
        return HONE_OK;
    }
    status = measure(direct, candidate, err);
    if (status == HONE_OK) hone_memo_add(&direct->memo, key, &candidate->trial);
    return status;
}

static enum hone_status direct_wait(struct hone_evaluator *evaluator,
                                    struct hone_trial *out, size_t cap, size_t *count,
                                    struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    *count = 0;
    if (!direct->in_flight || !cap) return HONE_OK;
    enum hone_status status = check_alive(direct, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidate = &direct->queue[direct->oldest];
    status = evaluate(direct, candidate, err);
    if (status == HONE_OK) {
        *out = candidate->trial;
        *count = 1;
    }
    hone_candidate_fini(candidate, direct->builder);
    direct->oldest = (direct->oldest + 1) % direct->capacity;
    direct->in_flight--;
    return status;
}

static void direct_close(struct hone_evaluator *evaluator)
{
    struct direct *direct = evaluator->priv;
    for (size_t i = 0; i < direct->in_flight; i++)
        hone_candidate_fini(&direct->queue[(direct->oldest + i) % direct->capacity],
                            direct->builder);
    free(direct->queue);
    hone_buffers_fini(&direct->timing);
    for (size_t i = 0; i < direct->verifier_count; i++)
        hone_verifier_fini(&direct->verifiers[i]);
    free(direct->verifiers);
    hone_memo_fini(&direct->memo);
}

static const struct hone_evaluator_fns direct_fns = {
    .name = "direct",
    .priv_size = sizeof(struct direct),
    .capacity = direct_capacity,
    .submit = direct_submit,
    .wait = direct_wait,
    .close = direct_close,
};

// --- opening ---

static enum hone_status make_verifiers(struct direct *direct, struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(direct->kernel);
    if (direct->options.flags & HONE_EVALUATE_NO_VERIFY) return HONE_OK;
    if (!def->reference.template_path) {
        hone_log(HONE_LOG_WARNING,
                 "kernel '%s' has no reference: results are not verified", def->name);
        return HONE_OK;
    }
    const size_t count = def->verify_count ? def->verify_count : 1;
    direct->at_tuned = def->verify_count == 0;
    direct->verifiers = calloc(count, sizeof *direct->verifiers);
    if (!direct->verifiers) return hone_fail(err, HONE_ENOMEM, "out of memory to verify");
    const struct hone_verifier_params params = {
        .kernel = direct->kernel,
        .device = direct->device,
        .builder = direct->builder,
        .data_seed = direct->options.data_seed,
        .deadline_s = direct->options.deadline_s,
    };
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        status = hone_verifier_init(&direct->verifiers[i], &params,
                                    direct->at_tuned ? NULL : &def->verify[i], err);
        direct->verifier_count += status == HONE_OK;
    }
    return status;
}

static enum hone_status open_direct(struct direct *direct, struct hone_error *err)
{
    size_t lookahead = direct->options.lookahead;
    direct->capacity = lookahead ? lookahead : hone_builder_threads(direct->builder) + 1;
    direct->queue = calloc(direct->capacity, sizeof *direct->queue);
    if (!direct->queue)
        return hone_fail(err, HONE_ENOMEM, "out of memory for the evaluator");
    return make_verifiers(direct, err);
}

enum hone_status
hone_evaluator_direct(struct hone_evaluator **out, const struct hone_kernel *kernel,
                      struct hone_device *device, struct hone_builder *builder,
                      const struct hone_evaluate_options *options, struct hone_error *err)
{
    struct hone_evaluator *evaluator = NULL;
    enum hone_status status = hone_evaluator_make(&evaluator, &direct_fns, err);
    if (status != HONE_OK) return status;
    struct direct *direct = evaluator->priv;
    *direct = (struct direct){
        .kernel = kernel, .device = device, .builder = builder, .options = *options};
    status = open_direct(direct, err);
    if (status == HONE_OK)
        *out = evaluator;
    else
        hone_evaluator_close(evaluator);
    return status;
}
