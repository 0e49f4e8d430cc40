#include "evaluate/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "base/clock.h"
#include "base/log.h"
#include "counted.h"
#include "evaluate/module.h"
#include "evaluate/plausible.h"
#include "fault.h"
#include "relaunch.h"
#include "symbols.h"
#include "timed.h"

void hone_runner_note_loss(struct hone_runner *runner, const struct hone_fault *fault)
{
    if (fault->outcome != HONE_VALID && fault->sticky)
        snprintf(runner->lost, sizeof runner->lost, "%s", fault->reason);
}

enum hone_status hone_runner_check_alive(const struct hone_runner *runner,
                                         struct hone_error *err)
{
    if (!runner->lost[0]) return HONE_OK;
    return hone_fail(err, HONE_EDEVICE, "device %s is lost: %s", runner->device->id,
                     runner->lost);
}

static enum hone_status verify_variant(struct hone_verifier *verifier,
                                       const struct hone_variant *variant,
                                       struct hone_launch_report *report,
                                       struct hone_fault *fault, struct hone_error *err)
{
    struct hone_loaded kernel = hone_variant_kernel(variant);
    enum hone_status status = hone_symbols_load(&verifier->buffers, &kernel, fault, err);
    if (hone_is_right(status, fault))
        status = hone_verifier_check(verifier, &kernel, report, fault, err);
    hone_module_unload(&kernel, verifier->buffers.device);
    return status;
}

// Those that kernels are also run in other orders at: the sizes that the script names, or
// all where it names none.
static size_t ordered_count(const struct hone_runner *runner)
{
    const size_t named = runner->plan->named;
    return named && named < runner->verifier_count ? named : runner->verifier_count;
}

enum hone_status hone_runner_verify(struct hone_runner *runner,
                                    const struct hone_candidate *candidate,
                                    struct hone_launch_report *report,
                                    struct hone_fault *fault, struct hone_error *err)
{
    if (runner->plan->alone)
        return hone_runner_run_alone(runner, candidate, report, fault, err);
    struct hone_relaunch_size *sizes = calloc(runner->verifier_count + 1, sizeof *sizes);
    if (!sizes) return hone_no_memory(err, "to verify");
    struct hone_relaunch_size last = {0}; // the largest of drawn ones
    size_t count = 0;
    enum hone_status status = HONE_OK;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    for (size_t i = 0; i < runner->verifier_count; i++) {
        if (!hone_is_right(status, fault)) break;
        struct hone_relaunch_size size = {
            .verifier = &runner->verifiers[i],
            .variant = hone_plan_variant(runner->plan, candidate, i)};
        if (size.variant->skipped) continue;
        size.verifier->plain =
            !size.verifier->apart && hone_plan_is_plain(runner->plan, candidate, i);
        status = verify_variant(size.verifier, size.variant, report, fault, err);
        if (status == HONE_OK && fault->finding == HONE_FINDING_ORDER)
            status = hone_relaunch_without_order(&size, fault, err);
        size.cost = hone_relaunch_cost(report->executed, size.verifier->launch_s,
                                       hone_buffers_bytes(&size.verifier->buffers));
        if (size.verifier->again)
            sizes[count++] = size;
        else if (!runner->plan->named && size.cost >= last.cost)
            last = size;
    }
    if (!count && last.verifier) sizes[count++] = last;
    if (hone_is_right(status, fault))
        status = hone_relaunch(
            sizes, count, HONE_RELAUNCHES,
            hone_relaunch_seed(runner->plan->options.data_seed, candidate), fault, err);
    free(sizes);
    return status;
}

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

struct hone_found hone_runner_found(const struct hone_fault *fault)
{
    struct hone_found found = {.finding = fault->finding, .line = fault->line};
    snprintf(found.file, sizeof found.file, "%.*s", (int)sizeof found.file - 1,
             fault->file);
    snprintf(found.buffer, sizeof found.buffer, "%.*s", (int)sizeof found.buffer - 1,
             fault->buffer);
    return found;
}

static void keep_fault(struct hone_candidate *candidate, const struct hone_fault *fault)
{
    candidate->trial.outcome = fault->outcome;
    memcpy(candidate->notes.reason, fault->reason, sizeof candidate->notes.reason);
    candidate->notes.found = hone_runner_found(fault);
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

static enum hone_status time_launch(struct hone_runner *runner,
                                    struct hone_module *module,
                                    const struct hone_launch *launch,
                                    struct hone_timing *timing, struct hone_fault *fault,
                                    struct hone_error *err)
{
    const struct hone_evaluate_options *options = &runner->plan->options;
    const bool race = options->objective == HONE_OBJECTIVE_TIME &&
                      !(options->flags & HONE_EVALUATE_NO_RACE);
    const struct hone_time_policy policy =
        race ? hone_rival_policy(&runner->rival, &options->policy) : options->policy;
    *timing = (struct hone_timing){
        .time_us = (double)NAN, .predicted_us = (double)NAN, .energy_j = (double)NAN};
    return runner->device->fns->time(runner->device, module, launch, &policy, timing,
                                     fault, err);
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
    if (hone_is_right(status, fault)) {
        status = hone_timed_arm(&timed, at, err);
        const struct hone_launch launch =
            hone_buffers_launch(at->buffers, at->kernel.job, at->runner->deadline_s);
        if (status == HONE_OK)
            status =
                time_launch(at->runner, at->kernel.module, &launch, timing, fault, err);
    }
    if (hone_is_right(status, fault)) status = hone_timed_check(&timed, at, fault, err);
    if (hone_is_right(status, fault)) status = hone_timed_finish(&timed, at, fault, err);
    hone_timed_fini(&timed);
    return status;
}

static enum hone_status time_candidate(struct hone_runner *runner,
                                       struct hone_candidate *candidate,
                                       struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_variant *variant = &candidate->variants[0];
    struct hone_timed_job at;
    enum hone_status status = hone_runner_load(runner, variant, &at, fault, err);
    if (hone_is_right(status, fault)) {
        struct hone_timing timing;
        const bool counts = runner->plan->options.flags & HONE_EVALUATE_COUNT;
        status = counts ? hone_count_launch(&at, candidate->notes.counters, fault, err)
                        : time_watched(&at, &timing, fault, err);
        if (hone_is_right(status, fault) && !counts)
            keep_figures(runner, &timing, candidate, fault);
    }
    hone_module_unload(&at.kernel, runner->device);
    return status;
}

// Shared memory is told of a configuration that is only verified, by a device that
// watches its launches.
static void keep_report(struct hone_candidate *candidate,
                        const struct hone_launch_report *report, unsigned flags)
{
    const struct hone_metric metrics[] = {
        {HONE_METRIC_UNWRITTEN, (double)report->unwritten},
        {HONE_METRIC_UNTURNED, (double)report->unturned},
        {HONE_METRIC_SHARED_WRITTEN, (double)report->shared_written}};
    struct hone_trial_notes *notes = &candidate->notes;
    const bool told[] = {report->unwritten, report->unturned, report->varies};
    memcpy(notes->fidelity, report->fidelity, sizeof notes->fidelity);
    memcpy(notes->waived, report->waived, sizeof notes->waived);
    candidate->trial.outputs = report->outputs;
    for (size_t i = 0; flags & HONE_EVALUATE_NO_TIME && i < 3; i++)
        if (told[i]) notes->metrics[candidate->trial.metric_count++] = metrics[i];
}

// It may be right all the same: said once.
static void warn_of_unset(struct hone_runner *runner,
                          const struct hone_launch_report *report)
{
    if (!report->unset[0] || runner->told_unset) return;
    runner->told_unset = true;
    hone_log(
        HONE_LOG_WARNING,
        "the kernel reads its module variable '%s' before anything wrote it: that is "
        "zero in the first launch, later what the last one left",
        report->unset);
}

static enum hone_status measure(struct hone_runner *runner,
                                struct hone_candidate *candidate, struct hone_error *err)
{
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_launch_report report = {0};
    const double start = hone_clock_seconds();
    enum hone_status status = hone_runner_verify(runner, candidate, &report, &fault, err);
    keep_report(candidate, &report, runner->plan->options.flags);
    warn_of_unset(runner, &report);
    if (hone_is_right(status, &fault) &&
        !(runner->plan->options.flags & HONE_EVALUATE_NO_TIME))
        status = time_candidate(runner, candidate, &fault, err);
    candidate->trial.evaluate_ms = (hone_clock_seconds() - start) * 1e3;
    keep_fault(candidate, &fault);
    hone_runner_note_loss(runner, &fault);
    return status;
}

// An equal image was measured before: its figures are this one's, but for what was not
// spent.
static void copy_figures(struct hone_candidate *candidate, const struct hone_trial *equal)
{
    struct hone_trial *trial = &candidate->trial;
    const struct hone_trial own = *trial;
    *trial = *equal;
    hone_trial_note(equal, &candidate->notes);
    trial->index = own.index;
    trial->resources = own.resources;
    trial->build_ms = own.build_ms;
    trial->evaluate_ms = 0;
}

enum hone_status hone_runner_hold(struct hone_runner *runner,
                                  const struct hone_candidate *candidate,
                                  struct hone_error *err)
{
    struct hone_hold hold = {0};
    char arch[HONE_ARCH_TEXT];
    hone_plan_arch(arch, runner->plan, runner->device);
    enum hone_status status =
        hone_hold_builds(&hold, candidate, runner->builder, arch, err);
    if (status != HONE_OK || !hold.count) return status;
    hone_hold_release(&runner->hold, runner->builder);
    runner->hold = hold;
    return HONE_OK;
}

enum hone_status hone_runner_take(struct hone_runner *runner,
                                  struct hone_candidate *candidate, bool *launches,
                                  struct hone_error *err)
{
    *launches = false;
    enum hone_status status = HONE_OK;
    if (!runner->hold.count) status = hone_runner_hold(runner, candidate, err);
    if (status == HONE_OK)
        status = hone_candidate_take(candidate, runner->builder, runner->device, err);
    if (status != HONE_OK || candidate->trial.outcome != HONE_VALID) return status;
    hone_candidate_key(candidate, runner->device->clock == HONE_CLOCK_EMULATED,
                       candidate->key);
    const struct hone_trial *equal = hone_memo_find(&runner->memo, candidate->key);
    if (equal)
        copy_figures(candidate, equal);
    else
        *launches = true;
    return HONE_OK;
}

enum hone_status hone_runner_measure(struct hone_runner *runner,
                                     struct hone_candidate *candidate,
                                     struct hone_error *err)
{
    enum hone_status status = measure(runner, candidate, err);
    if (status != HONE_OK) return status;
    hone_rival_tell(&runner->rival, &candidate->trial);
    const struct hone_trial trial = hone_candidate_trial(candidate);
    hone_memo_add(&runner->memo, candidate->key, &trial);
    return HONE_OK;
}

// The verifier of the smallest problem of at least so many bytes; NULL: there is none.
static struct hone_verifier *smallest_of(struct hone_runner *runner, size_t least)
{
    struct hone_verifier *smallest = NULL;
    for (size_t i = 0; i < ordered_count(runner); i++) {
        struct hone_verifier *verifier = &runner->verifiers[i];
        const size_t bytes = hone_buffers_bytes(&verifier->buffers);
        if (bytes >= least &&
            (!smallest || bytes < hone_buffers_bytes(&smallest->buffers)))
            smallest = verifier;
    }
    return smallest;
}

static struct hone_verifier *largest_of(struct hone_runner *runner)
{
    struct hone_verifier *largest = NULL;
    for (size_t i = 0; i < ordered_count(runner); i++)
        if (!largest || hone_buffers_bytes(&runner->verifiers[i].buffers) >
                            hone_buffers_bytes(&largest->buffers))
            largest = &runner->verifiers[i];
    return largest;
}

// More runs cost least at the smallest problem of more than a few elements; where there
// are few, one costs nothing anywhere.
static void choose_orders(struct hone_runner *runner)
{
    enum { FEW_BYTES = 16384, SOME_BYTES = 2048 };
    for (size_t i = 0; i < ordered_count(runner); i++)
        runner->verifiers[i].reverse =
            hone_buffers_bytes(&runner->verifiers[i].buffers) < FEW_BYTES;
    struct hone_verifier *smallest = smallest_of(runner, FEW_BYTES);
    if (smallest) smallest->reverse = true;
    struct hone_verifier *apart = smallest_of(runner, SOME_BYTES);
    if (!apart) apart = largest_of(runner);
    if (apart) apart->apart = true;
}

// Was there other data than the first anywhere?
static bool drop_other_data(struct hone_runner *runner)
{
    bool any = false;
    for (size_t i = 0; i < runner->verifier_count; i++) {
        struct hone_verifier *verifier = &runner->verifiers[i];
        any |= hone_images_have(&verifier->images, HONE_SET_FIRST + 1);
        hone_images_fini(&verifier->images, &verifier->buffers);
    }
    return any;
}

// Other data of the sizes before makes room where there is none.
static enum hone_status open_verifier(struct hone_runner *runner, size_t i, bool again,
                                      struct hone_error *err)
{
    const struct hone_plan *plan = runner->plan;
    const struct hone_plan_size *size = &plan->verify_at[i];
    const struct hone_verifier_params params = {
        .device = runner->device,
        .builder = runner->builder,
        .data_seed = plan->options.data_seed,
        .deadline_s = plan->options.deadline_s,
        .waivers = plan->waivers,
        .waiver_count = plan->waiver_count,
        .plain = i > 0 && i >= plan->named,
        .again = again,
        .quiet = plan->options.flags & HONE_EVALUATE_QUIET,
    };
    for (;;) {
        struct hone_error own = {0};
        const enum hone_status status = hone_verifier_init(
            &runner->verifiers[i], &params, &size->reference, size->where, &own);
        if (status != HONE_ELIMIT || !drop_other_data(runner))
            return hone_error_pass(err, status, &own);
    }
}

static enum hone_status open_verifiers(struct hone_runner *runner, struct hone_error *err)
{
    const struct hone_plan *plan = runner->plan;
    const size_t count = plan->alone ? 0 : plan->verify_count;
    double *bytes = calloc(count + 1, sizeof *bytes);
    runner->verifiers = calloc(count + 1, sizeof *runner->verifiers);
    enum hone_status status = HONE_OK;
    if (!bytes || !runner->verifiers) status = hone_no_memory(err, "to verify");
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        bytes[i] = hone_job_bytes(&plan->verify_at[i].reference);
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        status = open_verifier(runner, i, hone_relaunch_is_at(plan, bytes, i), err);
        runner->verifier_count += status == HONE_OK;
    }
    free(bytes);
    return status;
}

enum hone_status hone_runner_init(struct hone_runner *runner, struct hone_device *device,
                                  struct hone_builder *builder,
                                  const struct hone_plan *plan, struct hone_error *err)
{
    *runner = (struct hone_runner){.device = device,
                                   .builder = builder,
                                   .plan = plan,
                                   .filler = {.device = device},
                                   .deadline_s = plan->options.deadline_s};
    enum hone_status status = HONE_OK;
    if (device->fns->set_aside)
        status = device->fns->set_aside(device, plan->l2_set_aside, err);
    if (status == HONE_OK) status = open_verifiers(runner, err);
    const bool times =
        !(plan->options.flags & (HONE_EVALUATE_NO_TIME | HONE_EVALUATE_COUNT));
    if (status == HONE_OK && times && device->fns->check_clock)
        device->fns->check_clock(device);
    if (status == HONE_OK) choose_orders(runner);
    if (status != HONE_OK) hone_runner_fini(runner);
    return status;
}

void hone_runner_set_deadline(struct hone_runner *runner, double deadline_s)
{
    runner->deadline_s = deadline_s;
    for (size_t i = 0; i < runner->verifier_count; i++)
        runner->verifiers[i].deadline_s = deadline_s;
}

void hone_runner_fini(struct hone_runner *runner)
{
    hone_hold_release(&runner->hold, runner->builder);
    hone_buffers_fini(&runner->timing);
    hone_filler_fini(&runner->filler);
    hone_tuned_fini(&runner->tuned);
    for (size_t i = 0; i < runner->verifier_count; i++)
        hone_verifier_fini(&runner->verifiers[i]);
    free(runner->verifiers);
    hone_memo_fini(&runner->memo);
    *runner = (struct hone_runner){0};
}
