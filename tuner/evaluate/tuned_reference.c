// The reference at the tuned size: run once, for as long as it may take, and kept.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "fault.h"
#include "reference_fault.h"
#include "symbols.h"
#include "tuned_run.h"

// A reference may be slow: on a GPU, who is late takes the device with it.
static const double reference_deadline_s = 30;

// An emulator that runs plainly gives a reference so much of the time there is.
static const double reference_share = 0.5;

static double reference_deadline(const struct tuned_run *run)
{
    const double given_s = run->runner->plan->options.deadline_s;
    if (!hone_tuned_is_emulated(run->runner))
        return given_s > 0 ? given_s : reference_deadline_s;
    return fmax(reference_share * run->request->seconds, 1e-3);
}

// What is poison again was not written; else two launches differ.
static void agree_or_name(struct tuned_run *run, const struct hone_outputs *again,
                          const struct hone_outputs *expected, struct hone_fault *fault)
{
    const struct hone_job *job = &run->runner->plan->tuned.reference;
    if (hone_stage_agree(&run->stage, job, again, expected, "its first launch", fault))
        return;
    const struct hone_fault differs = *fault;
    if (hone_stage_written(&run->stage, again, fault)) *fault = differs;
}

static struct hone_stage_launches reference_launches(const struct tuned_run *run)
{
    return (struct hone_stage_launches){.count = 1,
                                        .deadline_s = reference_deadline(run)};
}

// What seemed unwritten may be the value itself: another poison tells them apart.
static enum hone_status launch_doubted(struct tuned_run *run,
                                       const struct hone_loaded *kernel,
                                       const struct hone_outputs *expected,
                                       struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_stage_launches once = reference_launches(run);
    struct hone_outputs again = {0};
    hone_buffers_poison(&run->stage.buffers, true);
    enum hone_status status =
        hone_stage_run(&run->stage, kernel, &once, &again, fault, err);
    if (hone_is_right(status, fault)) agree_or_name(run, &again, expected, fault);
    hone_buffers_poison(&run->stage.buffers, false);
    hone_outputs_fini(&again);
    return status;
}

// The stage is that of the reference, and stays for those who are compared with it.
static enum hone_status launch_reference(struct tuned_run *run,
                                         const struct hone_loaded *kernel,
                                         struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_stage_launches once = reference_launches(run);
    struct hone_outputs *expected = &run->runner->tuned.expected;
    enum hone_status status =
        hone_stage_run(&run->stage, kernel, &once, expected, fault, err);
    if (!hone_is_right(status, fault)) return status;
    if (hone_stage_written(&run->stage, expected, fault)) return HONE_OK;
    status = launch_doubted(run, kernel, expected, fault, err);
    if (fault->outcome != HONE_VALID) hone_outputs_fini(expected);
    return status;
}

// The kernels' own buffers are of other types than those of a reference in double
// precision: the first of them makes them.
static void leave_wide_stage(struct tuned_run *run)
{
    if (!hone_job_is_wide(&run->runner->plan->tuned.reference)) return;
    run->runner->tuned.expected.wide = true;
    hone_stage_close(&run->stage);
    run->open = false;
}

static enum hone_status run_reference(struct tuned_run *run, struct hone_fault *fault,
                                      struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    struct hone_loaded kernel = {.job = &runner->plan->tuned.reference,
                                 .is_reference = true};
    enum hone_status status = hone_job_build(&kernel.build, kernel.job, runner->builder,
                                             runner->device->limits.arch, err);
    if (status == HONE_OK)
        status = hone_symbols_load(&run->stage.buffers, &kernel, fault, err);
    if (hone_is_right(status, fault)) status = launch_reference(run, &kernel, fault, err);
    hone_module_unload(&kernel, runner->device);
    hone_build_release(kernel.build);
    return status;
}

static enum hone_status compute_expected(struct tuned_run *run, struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    struct hone_tuned *tuned = &runner->tuned;
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_error why = {0};
    tuned->tried = true;
    enum hone_status status =
        hone_tuned_open_stage(run, &runner->plan->tuned.reference, &why);
    if (status == HONE_OK) status = run_reference(run, &fault, &why);
    hone_runner_note_loss(runner, &fault);
    leave_wide_stage(run);
    if (status == HONE_OK && hone_reference_is_wrong(&fault)) {
        hone_reference_name_argument(&runner->plan->tuned.reference, &fault);
        hone_tuned_append_where(runner, &fault);
        run->result->reference_wrong = true;
        return hone_reference_fails(&runner->plan->tuned.reference, &fault, err);
    }
    if (hone_tuned_is_shortage(status))
        snprintf(tuned->no_reference, sizeof tuned->no_reference, "%.*s",
                 HONE_COMPARED_MAX - 1, why.text);
    else if (fault.outcome == HONE_TIMED_OUT && hone_tuned_is_emulated(runner))
        strcpy(tuned->no_reference, hone_tuned_would_need(reference_deadline(run)).text);
    else if (fault.outcome != HONE_VALID)
        snprintf(tuned->no_reference, sizeof tuned->no_reference, "%s: %.*s",
                 hone_outcome_name(fault.outcome), HONE_COMPARED_MAX - 20, fault.reason);
    if (tuned->no_reference[0])
        hone_log(HONE_LOG_WARNING,
                 "the reference '%s' gives nothing at the tuned size: %s",
                 runner->plan->tuned.reference.source_name, tuned->no_reference);
    if (status == HONE_OK || hone_tuned_is_shortage(status)) return HONE_OK;
    return hone_error_pass(err, status, &why);
}

enum hone_status hone_tuned_find_expected(struct tuned_run *run, struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    const struct hone_plan *plan = runner->plan;
    const char *why = run->request->no_reference;
    enum hone_status status = HONE_OK;
    if (!why || !why[0]) why = plan->no_tuned;
    if (!why[0]) {
        if (!runner->tuned.tried) status = compute_expected(run, err);
        why = runner->tuned.no_reference;
    }
    snprintf(run->result->no_reference, sizeof run->result->no_reference, "%s", why);
    return status;
}
