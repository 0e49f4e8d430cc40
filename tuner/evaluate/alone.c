#include "alone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

struct alone_run {
    struct hone_runner *runner;
    const struct hone_candidate *candidate;
    double *bytes; // of each size; NAN where the candidate has no job
    struct hone_launch_report *report;
    struct hone_fault *fault;
    struct hone_error *err;
};

// As where there is a reference: named sizes, or three that were drawn and are not
// skipped.
static size_t sizes_launched_more(const struct alone_run *run)
{
    const struct hone_plan *plan = run->runner->plan;
    size_t count = 0;
    if (plan->named) return plan->named;
    for (size_t i = 0; i < plan->verify_count; i++)
        count += isnan(run->bytes[i]) ? 0 : 1;
    return count < HONE_RELAUNCH_SIZES ? count : HONE_RELAUNCH_SIZES;
}

// Its own results are all that there is to compare with, so the data stays the same.
static enum hone_status launch_more(struct alone_run *run,
                                    struct hone_relaunch_size *size)
{
    const uint64_t seed =
        hone_relaunch_seed(run->runner->plan->options.data_seed, run->candidate);
    const size_t sizes = sizes_launched_more(run);
    return hone_relaunch(size, 1, (HONE_RELAUNCHES + sizes - 1) / sizes, seed, run->fault,
                         run->err);
}

static enum hone_status launch_first(struct alone_run *run,
                                     const struct hone_relaunch_size *size)
{
    struct hone_verifier *verifier = size->verifier;
    struct hone_loaded kernel = hone_variant_kernel(size->variant);
    struct hone_fault *fault = run->fault;
    enum hone_status status =
        hone_symbols_load(&verifier->buffers, &kernel, fault, run->err);
    if (hone_is_right(status, fault))
        status =
            hone_verifier_expect_own(verifier, &kernel, run->report, fault, run->err);
    if (hone_is_right(status, fault)) {
        note_own_results(verifier, kernel.job, run->report);
        status = hone_verifier_check(verifier, &kernel, run->report, fault, run->err);
    }
    hone_module_unload(&kernel, run->runner->device);
    return status;
}

static enum hone_status run_at(struct alone_run *run, size_t i)
{
    struct hone_runner *runner = run->runner;
    const struct hone_plan *plan = runner->plan;
    const struct hone_verifier_params params = {
        .device = runner->device,
        .builder = runner->builder,
        .data_seed = plan->options.data_seed,
        .deadline_s = runner->deadline_s,
        .waivers = plan->waivers,
        .waiver_count = plan->waiver_count,
        .plain = hone_plan_is_plain(plan, run->candidate, i),
    };
    struct hone_verifier verifier;
    struct hone_relaunch_size size = {
        .verifier = &verifier, .variant = hone_plan_variant(plan, run->candidate, i)};
    struct hone_error full = {0};
    enum hone_status status = hone_verifier_init_alone(
        &verifier, &params, &size.variant->job, plan->verify_at[i].where, &full);
    if (status != HONE_OK) return hone_fault_of_room(run->fault, status, &full, run->err);
    verifier.reverse = true;
    verifier.again = hone_relaunch_is_at(plan, run->bytes, i);
    status = launch_first(run, &size);
    size.cost = hone_relaunch_cost(run->report->executed, verifier.launch_s,
                                   hone_buffers_bytes(&verifier.buffers));
    if (hone_is_right(status, run->fault) && verifier.again)
        status = launch_more(run, &size);
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
    struct alone_run run = {runner, candidate, NULL, report, fault, err};
    if (plan->at_tuned && !is_small(runner, tuned)) {
        refuse_large(runner, tuned, fault);
        return HONE_OK;
    }
    run.bytes = calloc(plan->verify_count + 1, sizeof *run.bytes);
    if (!run.bytes) return hone_no_memory(err, "to verify");
    for (size_t i = 0; i < plan->verify_count; i++) {
        const struct hone_variant *variant = hone_plan_variant(plan, candidate, i);
        run.bytes[i] = variant->skipped ? (double)NAN : hone_job_bytes(&variant->job);
    }
    enum hone_status status = HONE_OK;
    for (size_t i = 0; hone_is_right(status, fault) && i < plan->verify_count; i++)
        if (!isnan(run.bytes[i])) status = run_at(&run, i);
    free(run.bytes);
    return status;
}
