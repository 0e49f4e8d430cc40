// The sizes of a runner: at each the reference's results, and what is held to them.
#include <stdlib.h>

#include "alone.h"
#include "evaluate/runner.h"
#include "fault.h"
#include "relaunch.h"
#include "runner_steps.h"
#include "symbols.h"

// --- opening ---

// Those that kernels are also run in other orders at: the sizes that the script names, or
// all where it names none.
static size_t ordered_count(const struct hone_runner *runner)
{
    const size_t named = runner->plan->named;
    return named && named < runner->verifier_count ? named : runner->verifier_count;
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

enum hone_status hone_runner_open_verifiers(struct hone_runner *runner,
                                            struct hone_error *err)
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
    if (status == HONE_OK) choose_orders(runner);
    return status;
}

// --- a candidate ---

struct verify_run {
    struct hone_runner *runner;
    const struct hone_candidate *candidate;
    struct hone_launch_report *report;
    struct hone_fault *fault;
    struct hone_error *err;
    struct hone_relaunch_size *again; // where it is launched again
    size_t again_count;
    struct hone_relaunch_size largest; // of the drawn ones where it is not
};

static enum hone_status verify_variant(struct verify_run *run,
                                       const struct hone_relaunch_size *size)
{
    struct hone_verifier *verifier = size->verifier;
    struct hone_loaded kernel = hone_variant_kernel(size->variant);
    enum hone_status status =
        hone_symbols_load(&verifier->buffers, &kernel, run->fault, run->err);
    if (hone_is_right(status, run->fault))
        status =
            hone_verifier_check(verifier, &kernel, run->report, run->fault, run->err);
    hone_module_unload(&kernel, verifier->buffers.device);
    return status;
}

static enum hone_status verify_at(struct verify_run *run, size_t i)
{
    const struct hone_plan *plan = run->runner->plan;
    struct hone_verifier *verifier = &run->runner->verifiers[i];
    struct hone_relaunch_size size = {
        .verifier = verifier, .variant = hone_plan_variant(plan, run->candidate, i)};
    if (size.variant->skipped) return HONE_OK;
    verifier->plain = !verifier->apart && hone_plan_is_plain(plan, run->candidate, i);
    enum hone_status status = verify_variant(run, &size);
    if (status == HONE_OK && run->fault->finding == HONE_FINDING_ORDER)
        status = hone_relaunch_without_order(&size, run->fault, run->err);
    size.cost = hone_relaunch_cost(run->report->executed, verifier->launch_s,
                                   hone_buffers_bytes(&verifier->buffers));
    if (verifier->again)
        run->again[run->again_count++] = size;
    else if (!plan->named && size.cost >= run->largest.cost)
        run->largest = size;
    return status;
}

// At one size at least.
static enum hone_status launch_again(struct verify_run *run)
{
    const uint64_t seed =
        hone_relaunch_seed(run->runner->plan->options.data_seed, run->candidate);
    if (!run->again_count && run->largest.verifier)
        run->again[run->again_count++] = run->largest;
    return hone_relaunch(run->again, run->again_count, HONE_RELAUNCHES, seed, run->fault,
                         run->err);
}

enum hone_status hone_runner_verify(struct hone_runner *runner,
                                    const struct hone_candidate *candidate,
                                    struct hone_launch_report *report,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct verify_run run = {.runner = runner,
                             .candidate = candidate,
                             .report = report,
                             .fault = fault,
                             .err = err};
    if (runner->plan->alone)
        return hone_runner_run_alone(runner, candidate, report, fault, err);
    run.again = calloc(runner->verifier_count + 1, sizeof *run.again);
    if (!run.again) return hone_no_memory(err, "to verify");
    enum hone_status status = HONE_OK;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    for (size_t i = 0; hone_is_right(status, fault) && i < runner->verifier_count; i++)
        status = verify_at(&run, i);
    if (hone_is_right(status, fault)) status = launch_again(&run);
    free(run.again);
    return status;
}
