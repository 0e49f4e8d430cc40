#include "evaluate/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "fault.h"
#include "runner_steps.h"

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

// What its launches told, where they told it. Shared memory is told of a configuration
// that is only verified, by a device that watches its launches.
static void keep_report(struct hone_candidate *candidate,
                        const struct hone_launch_report *report, unsigned flags)
{
    const struct {
        const char *name;
        uint64_t value;
        bool told;
    } metrics[] = {
        {HONE_METRIC_UNWRITTEN, report->unwritten, report->unwritten},
        {HONE_METRIC_UNTURNED, report->unturned, report->unturned},
        {HONE_METRIC_SHARED_WRITTEN, report->shared_written, report->varies},
    };
    struct hone_trial_notes *notes = &candidate->notes;
    memcpy(notes->fidelity, report->fidelity, sizeof notes->fidelity);
    memcpy(notes->waived, report->waived, sizeof notes->waived);
    candidate->trial.outputs = report->outputs;
    if (!(flags & HONE_EVALUATE_NO_TIME)) return;
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (metrics[i].told)
            notes->metrics[candidate->trial.metric_count++] =
                (struct hone_metric){metrics[i].name, (double)metrics[i].value};
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
        status = hone_runner_time(runner, candidate, &fault, err);
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
    if (status == HONE_OK) status = hone_runner_open_verifiers(runner, err);
    const bool times =
        !(plan->options.flags & (HONE_EVALUATE_NO_TIME | HONE_EVALUATE_COUNT));
    if (status == HONE_OK && times && device->fns->check_clock)
        device->fns->check_clock(device);
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
