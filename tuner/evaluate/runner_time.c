// A runner's clock: one candidate is loaded, timed while its outputs are watched, and its
// figures are kept where they can be true.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "counted.h"
#include "evaluate/plausible.h"
#include "evaluate/runner.h"
#include "fault.h"
#include "runner_steps.h"
#include "symbols.h"
#include "timed.h"

// --- what is timed ---

enum hone_status hone_runner_buffers(struct hone_runner *runner,
                                     const struct hone_loaded *kernel,
                                     struct hone_buffers **out, struct hone_error *err)
{
    const struct hone_job *job = kernel->job;
    const uint64_t seed = runner->plan->options.data_seed;
    *out = hone_plan_judges_tuned(runner->plan) ? &runner->verifiers[0].buffers
                                                : &runner->timing;
    if (!hone_buffers_mismatch(*out, job)) {
        enum hone_status status = hone_buffers_fit(*out, job, err);
        if (status == HONE_OK && *out == &runner->timing)
            status = hone_buffers_randomise(*out, job, kernel->module, seed, err);
        return status;
    }
    hone_buffers_fini(&runner->timing);
    *out = &runner->timing;
    enum hone_status status =
        hone_buffers_init(&runner->timing, runner->device, job, err);
    runner->timing.filler = &runner->filler;
    if (status == HONE_OK)
        status = hone_buffers_randomise(&runner->timing, job, kernel->module, seed, err);
    return status;
}

enum hone_status hone_runner_load(struct hone_runner *runner,
                                  const struct hone_variant *variant,
                                  struct hone_timed_job *at, struct hone_fault *fault,
                                  struct hone_error *err)
{
    struct hone_error full = {0};
    *at =
        (struct hone_timed_job){.runner = runner, .kernel = hone_variant_kernel(variant)};
    enum hone_status status = hone_module_load(&at->kernel, runner->device, fault, err);
    if (!hone_is_right(status, fault)) return status;
    status = hone_runner_buffers(runner, &at->kernel, &at->buffers, &full);
    if (status != HONE_OK) return hone_fault_of_room(fault, status, &full, err);
    return hone_symbols_place(at->buffers, &at->kernel, fault, err);
}

// --- its time ---

static void keep_timing(struct hone_candidate *candidate,
                        const struct hone_timing *timing)
{
    struct hone_trial *trial = &candidate->trial;
    trial->time_us = timing->time_us;
    trial->kind = timing->kind;
    trial->predicted_us = timing->predicted_us;
    trial->energy_j = timing->energy_j;
    trial->rel_std = timing->rel_std;
    trial->samples = timing->samples;
    trial->metric_count = timing->metric_count;
    memcpy(candidate->notes.metrics, timing->metrics, sizeof timing->metrics);
}

static void keep_cost(struct hone_trial *trial, enum hone_objective objective,
                      double flops, struct hone_fault *fault)
{
    if (objective == HONE_OBJECTIVE_TIME) return;
    trial->cost = hone_objective_cost(objective, trial->time_us, trial->energy_j, flops);
    if (trial->cost > 0) return;
    fault->outcome = HONE_LAUNCH_FAILED;
    snprintf(fault->reason, sizeof fault->reason, "%s",
             trial->energy_j > 0 ? "its script tells no operations of this configuration"
                                 : "no energy was counted while it ran");
}

static enum hone_status time_launches(const struct hone_timed_job *at,
                                      struct hone_timing *timing,
                                      struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_runner *runner = at->runner;
    const struct hone_evaluate_options *options = &runner->plan->options;
    const bool race = options->objective == HONE_OBJECTIVE_TIME &&
                      !(options->flags & HONE_EVALUATE_NO_RACE);
    const struct hone_time_policy policy =
        race ? hone_rival_policy(&runner->rival, &options->policy) : options->policy;
    const struct hone_launch launch =
        hone_buffers_launch(at->buffers, at->kernel.job, runner->deadline_s);
    *timing = (struct hone_timing){
        .time_us = (double)NAN, .predicted_us = (double)NAN, .energy_j = (double)NAN};
    return runner->device->fns->time(runner->device, at->kernel.module, &launch, &policy,
                                     timing, fault, err);
}

static void keep_figures(const struct hone_runner *runner,
                         const struct hone_timing *timing,
                         struct hone_candidate *candidate, struct hone_fault *fault)
{
    const struct hone_job *job = &candidate->variants[0].job;
    const bool cold = !runner->plan->options.policy.warm_cache;
    fault->outcome = hone_time_plausible(job, &runner->device->limits, cold,
                                         timing->time_us, fault->reason);
    if (fault->outcome != HONE_VALID) return;
    keep_timing(candidate, timing);
    keep_cost(&candidate->trial, runner->plan->options.objective, job->flops, fault);
}

// Its outputs must be those of one launch when it has been timed.
static enum hone_status time_watched(const struct hone_timed_job *at,
                                     struct hone_timing *timing, struct hone_fault *fault,
                                     struct hone_error *err)
{
    struct hone_timed timed;
    enum hone_status status = hone_timed_begin(&timed, at, fault, err);
    if (hone_is_right(status, fault)) status = hone_timed_arm(&timed, at, err);
    if (hone_is_right(status, fault)) status = time_launches(at, timing, fault, err);
    if (hone_is_right(status, fault)) status = hone_timed_check(&timed, at, fault, err);
    if (hone_is_right(status, fault)) status = hone_timed_finish(&timed, at, fault, err);
    hone_timed_fini(&timed);
    return status;
}

static enum hone_status time_loaded(const struct hone_timed_job *at,
                                    struct hone_candidate *candidate,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct hone_timing timing;
    enum hone_status status = time_watched(at, &timing, fault, err);
    if (hone_is_right(status, fault)) keep_figures(at->runner, &timing, candidate, fault);
    return status;
}

enum hone_status hone_runner_time(struct hone_runner *runner,
                                  struct hone_candidate *candidate,
                                  struct hone_fault *fault, struct hone_error *err)
{
    const bool counts = runner->plan->options.flags & HONE_EVALUATE_COUNT;
    struct hone_timed_job at;
    enum hone_status status =
        hone_runner_load(runner, &candidate->variants[0], &at, fault, err);
    if (hone_is_right(status, fault))
        status = counts ? hone_count_launch(&at, candidate->notes.counters, fault, err)
                        : time_loaded(&at, candidate, fault, err);
    hone_module_unload(&at.kernel, runner->device);
    return status;
}
