#include "alone.h"

#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/log.h"
#include "compare.h"
#include "evaluate/module.h"
#include "fault.h"
#include "relaunch.h"
#include "symbols.h"

// A tuned problem may be of any size. What is emulated under all checks takes a second
// for some ten million thread instructions; a GPU is fast, but the host holds the data
// twice.
static const double emulated_threads = 1 << 20, emulated_bytes = 64 << 20;
static const double measured_bytes = 1 << 30;

static double threads_of(const struct hone_geometry *geometry)
{
    double threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= (double)geometry->grid[i] * geometry->block[i];
    return threads;
}

static bool is_small(const struct hone_runner *runner, const struct hone_job *job)
{
    if (runner->device->clock != HONE_CLOCK_EMULATED)
        return hone_job_bytes(job) <= measured_bytes;
    return threads_of(&job->geometry) <= emulated_threads &&
           hone_job_bytes(job) <= emulated_bytes;
}

// It was not run: no verdict where that is all that was asked for.
static void refuse_large(const struct hone_runner *runner, const struct hone_job *job,
                         struct hone_fault *fault)
{
    if (!(runner->plan->options.flags & HONE_EVALUATE_NO_TIME)) return;
    fault->outcome = HONE_REJECTED;
    hone_snprintf(
        fault->reason, sizeof fault->reason,
        "not run: without a reference and sizes under 'verify' it would run at its "
        "own problem, %.0f threads and %.3g MB, at most %.0f and %.3g",
        threads_of(&job->geometry), hone_job_bytes(job) * 1e-6, emulated_threads,
        (runner->device->clock == HONE_CLOCK_EMULATED ? emulated_bytes : measured_bytes) *
            1e-6);
}

// Without a tolerance half of the digits of a float count.
static double slack_of(const struct hone_buffer *buffer, const struct hone_job *job)
{
    const struct hone_tolerance *own = hone_job_tolerance(job, buffer->arg.name);
    return own->relative > 0 || own->absolute > 0 ? 0 : hone_compare_slack(buffer);
}

static void note_own_results(struct hone_verifier *verifier, const struct hone_job *job,
                             struct hone_launch_report *report)
{
    uint64_t unwritten = 0;
    for (size_t i = 0; i < verifier->buffers.count; i++) {
        struct hone_buffer *buffer = &verifier->buffers.items[i];
        if (!buffer->expected) continue;
        buffer->expected_of = "its first launch";
        buffer->slack = slack_of(buffer, job);
        unwritten += hone_compare_count_unwritten(buffer, buffer->expected);
    }
    if (unwritten > report->unwritten) report->unwritten = unwritten;
}

// As where there is a reference: named sizes, or three that were drawn and are not
// skipped. How many; *is_at: is this one of them?
static size_t again_count(const struct hone_plan *plan,
                          const struct hone_candidate *candidate, size_t i, bool *is_at)
{
    *is_at = i < plan->named;
    if (plan->named) return plan->named;
    const struct hone_variant *variants = candidate->variants + 1;
    const double bytes = hone_job_bytes(&variants[i].job);
    size_t rank = 0, count = 0;
    for (size_t j = 0; j < plan->alone_count; j++) {
        if (variants[j].skipped) continue;
        const double other = hone_job_bytes(&variants[j].job);
        rank += other < bytes || (j < i && !(other > bytes));
        count++;
    }
    *is_at = hone_relaunch_is_at(rank, count);
    return count < HONE_RELAUNCH_SIZES ? count : HONE_RELAUNCH_SIZES;
}

// Its own results are all that there is to compare with, so the data stays the same.
static enum hone_status launch_more(struct hone_runner *runner,
                                    const struct hone_candidate *candidate,
                                    struct hone_relaunch_size *size, size_t sizes,
                                    struct hone_fault *fault, struct hone_error *err)
{
    const uint64_t seed = hone_relaunch_seed(runner->plan->options.data_seed, candidate);
    return hone_relaunch(size, 1, (HONE_RELAUNCHES + sizes - 1) / sizes, seed, fault,
                         err);
}

static enum hone_status launch_at(struct hone_runner *runner,
                                  struct hone_verifier *verifier,
                                  const struct hone_variant *variant,
                                  struct hone_launch_report *report,
                                  struct hone_fault *fault, struct hone_error *err)
{
    struct hone_loaded kernel = hone_variant_kernel(variant);
    enum hone_status status = hone_symbols_load(&verifier->buffers, &kernel, fault, err);
    if (hone_is_right(status, fault))
        status = hone_verifier_expect_own(verifier, &kernel, report, fault, err);
    if (hone_is_right(status, fault)) {
        note_own_results(verifier, kernel.job, report);
        status = hone_verifier_check(verifier, &kernel, report, fault, err);
    }
    hone_module_unload(&kernel, runner->device);
    return status;
}

static enum hone_status run_at(struct hone_runner *runner,
                               const struct hone_candidate *candidate, size_t i,
                               struct hone_launch_report *report,
                               struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_plan *plan = runner->plan;
    const struct hone_variant *variant =
        &candidate->variants[plan->alone_at_tuned ? 0 : i + 1];
    const struct hone_verifier_params params = {
        .device = runner->device,
        .builder = runner->builder,
        .data_seed = runner->plan->options.data_seed,
        .deadline_s = runner->deadline_s,
        .waivers = runner->plan->waivers,
        .waiver_count = runner->plan->waiver_count,
        .plain = hone_plan_is_plain(plan, candidate, i),
    };
    if (variant->skipped) return HONE_OK;
    struct hone_verifier verifier;
    struct hone_error full = {0};
    enum hone_status status = hone_verifier_init_alone(&verifier, &params, &variant->job,
                                                       plan->alone[i].where, &full);
    if (status != HONE_OK) return hone_fault_of_room(fault, status, &full, err);
    verifier.reverse = true;
    const size_t sizes = again_count(plan, candidate, i, &verifier.again);
    struct hone_relaunch_size size = {.verifier = &verifier, .variant = variant};
    status = launch_at(runner, &verifier, variant, report, fault, err);
    size.cost = hone_relaunch_cost(report->executed, verifier.launch_s,
                                   hone_buffers_bytes(&verifier.buffers));
    if (hone_is_right(status, fault) && verifier.again)
        status = launch_more(runner, candidate, &size, sizes, fault, err);
    hone_verifier_fini(&verifier);
    return status;
}

enum hone_status hone_runner_run_alone(struct hone_runner *runner,
                                       const struct hone_candidate *candidate,
                                       struct hone_launch_report *report,
                                       struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_plan *plan = runner->plan;
    const struct hone_job *tuned = &candidate->variants[0].job;
    enum hone_status status = HONE_OK;
    if (plan->alone_at_tuned && !is_small(runner, tuned)) {
        refuse_large(runner, tuned, fault);
        return HONE_OK;
    }
    for (size_t i = 0; i < plan->alone_count; i++) {
        if (!hone_is_right(status, fault)) break;
        status = run_at(runner, candidate, i, report, fault, err);
    }
    return status;
}
