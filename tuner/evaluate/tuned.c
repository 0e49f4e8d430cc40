#include "evaluate/tuned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/quantity.h"
#include "evaluate/evaluator.h"
#include "evaluate/module.h"
#include "fault.h"
#include "reference_fault.h"
#include "symbols.h"
#include "tuned_run.h"

// A race that shows once in a while shows sooner in three launches than in one. What is
// emulated computes the same each time.
enum { LAUNCHES = 3 };

// A reference may be slow: on a GPU, who is late takes the device with it.
static const double reference_deadline_s = 30;

// An emulator that runs plainly gives a reference so much of the time there is.
static const double reference_share = 0.5;

// Warp instructions that the emulator executes in a second when it checks no more than
// accesses, at least: a third of what docs/maintain/emulator.md has (75 million).
static const double emulated_per_s = 25e6;

void hone_tuned_fini(struct hone_tuned *tuned)
{
    hone_outputs_fini(&tuned->expected);
    *tuned = (struct hone_tuned){0};
}

void hone_tuned_say_no(char compared[HONE_COMPARED_MAX], const char *why)
{
    snprintf(compared, HONE_COMPARED_MAX, "no: %.*s", HONE_COMPARED_MAX - 5, why);
}

static bool is_emulated(const struct hone_runner *runner)
{
    return runner->device->clock == HONE_CLOCK_EMULATED;
}

// What a shortage of memory means here: no comparison, not the end of the run.
static bool is_shortage(enum hone_status status)
{
    return status == HONE_ELIMIT || status == HONE_ENOMEM;
}

struct words {
    char text[HONE_COMPARED_MAX];
};

static struct words would_need(double seconds)
{
    struct words words;
    snprintf(words.text, sizeof words.text, "would need over %s s of emulation",
             hone_plain(seconds, 3).text);
    return words;
}

static void append_where(const struct hone_runner *runner, struct hone_fault *fault)
{
    const char *where = runner->plan->tuned.where;
    const size_t used = strlen(fault->reason);
    snprintf(fault->reason + used, sizeof fault->reason - used, ", at %s%sthe tuned size",
             where, where[0] ? ", " : "");
}

static void take_fault(struct hone_verdict *verdict, const struct hone_fault *fault)
{
    verdict->outcome = fault->outcome;
    verdict->found = hone_runner_found(fault);
    memcpy(verdict->reason, fault->reason, sizeof verdict->reason);
}

// --- the reference ---

static double reference_deadline(const struct tuned_run *run)
{
    const double given_s = run->runner->plan->options.deadline_s;
    if (!is_emulated(run->runner)) return given_s > 0 ? given_s : reference_deadline_s;
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

static enum hone_status open_stage(struct tuned_run *run, const struct hone_job *job,
                                   struct hone_error *err)
{
    hone_buffers_fini(&run->runner->timing); // it is made again when somebody is timed
    enum hone_status status = hone_stage_open(&run->stage, run->runner->device, job,
                                              run->runner->plan->options.data_seed, err);
    run->open = status == HONE_OK;
    return status;
}

static enum hone_status compute_expected(struct tuned_run *run, struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    struct hone_tuned *tuned = &runner->tuned;
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_error why = {0};
    tuned->tried = true;
    enum hone_status status = open_stage(run, &runner->plan->tuned.reference, &why);
    if (status == HONE_OK) status = run_reference(run, &fault, &why);
    hone_runner_note_loss(runner, &fault);
    leave_wide_stage(run);
    if (status == HONE_OK && hone_reference_is_wrong(&fault)) {
        hone_reference_name_argument(&runner->plan->tuned.reference, &fault);
        append_where(runner, &fault);
        run->result->reference_wrong = true;
        return hone_reference_fails(&runner->plan->tuned.reference, &fault, err);
    }
    if (is_shortage(status))
        snprintf(tuned->no_reference, sizeof tuned->no_reference, "%.*s",
                 HONE_COMPARED_MAX - 1, why.text);
    else if (fault.outcome == HONE_TIMED_OUT && is_emulated(runner))
        strcpy(tuned->no_reference, would_need(reference_deadline(run)).text);
    else if (fault.outcome != HONE_VALID)
        snprintf(tuned->no_reference, sizeof tuned->no_reference, "%s: %.*s",
                 hone_outcome_name(fault.outcome), HONE_COMPARED_MAX - 20, fault.reason);
    if (tuned->no_reference[0])
        hone_log(HONE_LOG_WARNING,
                 "the reference '%s' gives nothing at the tuned size: %s",
                 runner->plan->tuned.reference.source_name, tuned->no_reference);
    if (status == HONE_OK || is_shortage(status)) return HONE_OK;
    return hone_error_pass(err, status, &why);
}

// Run it unless that was done; result->no_reference tells why there is nothing of it.
static enum hone_status find_expected(struct tuned_run *run, struct hone_error *err)
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

// --- one of them ---

static size_t launches_of(const struct tuned_run *run)
{
    return is_emulated(run->runner) ? 1 : LAUNCHES;
}

// What a fault says of the kernel: of one that is emulated, being late says nothing.
static void keep_fault(const struct tuned_run *run, struct hone_fault *fault,
                       struct hone_verdict *verdict)
{
    if (fault->outcome == HONE_TIMED_OUT && is_emulated(run->runner)) {
        hone_tuned_say_no(verdict->compared, would_need(run->request->seconds).text);
        return;
    }
    append_where(run->runner, fault);
    take_fault(verdict, fault);
}

// Its outputs, or a verdict.
static enum hone_status compute(struct tuned_run *run,
                                const struct hone_candidate *candidate,
                                struct hone_outputs *outputs,
                                struct hone_verdict *verdict, struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    struct hone_loaded kernel = hone_variant_kernel(&candidate->variants[0]);
    const double left = run->end - hone_clock_seconds();
    const struct hone_stage_launches launches = {
        .count = launches_of(run),
        .deadline_s = is_emulated(runner) ? fmax(left, 1e-3) : runner->deadline_s};
    struct hone_fault fault = {.outcome = HONE_VALID};
    enum hone_status status =
        hone_symbols_load(&run->stage.buffers, &kernel, &fault, err);
    if (hone_is_right(status, &fault))
        status = hone_stage_run(&run->stage, &kernel, &launches, outputs, &fault, err);
    hone_module_unload(&kernel, runner->device);
    hone_runner_note_loss(runner, &fault);
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        keep_fault(run, &fault, verdict);
    return status;
}

// Is there time, and are its buffers those of the others?
static bool may_compute(struct tuned_run *run, const struct hone_candidate *candidate,
                        struct hone_verdict *verdict)
{
    char why[HONE_COMPARED_MAX];
    const struct hone_job_arg *arg =
        hone_buffers_mismatch(&run->stage.buffers, &candidate->variants[0].job);
    if (hone_clock_seconds() >= run->end)
        hone_tuned_say_no(verdict->compared, "the time for it was over");
    else if (arg) {
        snprintf(why, sizeof why, "the size of %s depends on parameters", arg->name);
        hone_tuned_say_no(verdict->compared, why);
    }
    return !verdict->compared[0];
}

// Its outputs where it gives any: outputs->data stays NULL where the verdict is made.
enum hone_status hone_tuned_try(struct tuned_run *run,
                                const struct hone_candidate *candidate,
                                struct hone_outputs *outputs,
                                struct hone_verdict *verdict, struct hone_error *err)
{
    struct hone_error why = {0};
    enum hone_status status = HONE_OK;
    if (!run->open) status = open_stage(run, &candidate->variants[0].job, &why);
    if (status == HONE_OK && may_compute(run, candidate, verdict))
        status = compute(run, candidate, outputs, verdict, &why);
    if (status == HONE_OK) return status;
    if (!is_shortage(status)) return hone_error_pass(err, status, &why);
    hone_tuned_say_no(verdict->compared, why.text);
    return HONE_OK;
}

// --- all of them ---

size_t hone_tuned_twin(const struct hone_candidate *candidates, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (candidates[i].key[0] && strcmp(candidates[k].key, candidates[i].key) == 0)
            return k;
    return i;
}

static enum hone_status take_builds(struct tuned_run *run, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < run->request->count; i++) {
        struct hone_candidate *candidate = &run->request->candidates[i];
        status = hone_candidate_take(candidate, run->runner->builder, run->runner->device,
                                     err);
        if (status != HONE_OK) break;
        if (candidate->trial.outcome == HONE_VALID) {
            hone_candidate_key(candidate,
                               run->runner->device->clock == HONE_CLOCK_EMULATED,
                               candidate->key);
            continue;
        }
        struct hone_verdict *verdict = &run->result->verdicts[i];
        verdict->outcome = candidate->trial.outcome;
        memcpy(verdict->reason, candidate->notes.reason, sizeof verdict->reason);
    }
    return status;
}

bool hone_tuned_is_open(const struct hone_verdict *verdict)
{
    return verdict->outcome == HONE_VALID && !verdict->compared[0];
}

void hone_tuned_refuse(const struct tuned_run *run, struct hone_fault *fault,
                       const char *by, struct hone_verdict *verdict)
{
    append_where(run->runner, fault);
    take_fault(verdict, fault);
    snprintf(verdict->compared, sizeof verdict->compared, "%s", by);
}

static enum hone_status compare_with_reference(struct tuned_run *run,
                                               struct hone_error *err)
{
    const struct hone_tuned_request *request = run->request;
    struct hone_verdict *verdicts = run->result->verdicts;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < request->count; i++) {
        const struct hone_candidate *candidate = &request->candidates[i];
        const size_t twin = hone_tuned_twin(request->candidates, i);
        struct hone_outputs outputs = {0};
        struct hone_fault fault = {.outcome = HONE_VALID};
        if (twin < i) verdicts[i] = verdicts[twin];
        if (!hone_tuned_is_open(&verdicts[i]) || run->runner->lost[0]) continue;
        status = hone_tuned_try(run, candidate, &outputs, &verdicts[i], err);
        if (!outputs.data) continue;
        if (hone_stage_agree(&run->stage, &candidate->variants[0].job, &outputs,
                             &run->runner->tuned.expected, "reference", &fault))
            strcpy(verdicts[i].compared, "reference");
        else
            hone_tuned_refuse(run, &fault, "reference", &verdicts[i]);
        hone_outputs_fini(&outputs);
    }
    return status;
}

// What was verified at the tuned size is verified there once more.
static enum hone_status verify_again(struct tuned_run *run, struct hone_error *err)
{
    const struct hone_tuned_request *request = run->request;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < request->count; i++) {
        struct hone_verdict *verdict = &run->result->verdicts[i];
        struct hone_launch_report report = {0};
        struct hone_fault fault = {.outcome = HONE_VALID};
        if (!hone_tuned_is_open(verdict) || run->runner->lost[0]) continue;
        status = hone_runner_verify(run->runner, &request->candidates[i], &report, &fault,
                                    err);
        strcpy(verdict->compared, "reference");
        take_fault(verdict, &fault);
        hone_runner_note_loss(run->runner, &fault);
    }
    return status;
}

enum hone_status hone_runner_confirm(struct hone_runner *runner,
                                     const struct hone_tuned_request *request,
                                     struct hone_tuned_result *result,
                                     struct hone_error *err)
{
    struct tuned_run run = {.runner = runner, .request = request, .result = result};
    result->undecided = result->reference_wrong = false;
    result->no_reference[0] = '\0';
    for (size_t i = 0; i < request->count; i++)
        result->verdicts[i] = (struct hone_verdict){.outcome = HONE_VALID};
    if (runner->plan->options.flags & HONE_EVALUATE_NO_VERIFY) {
        for (size_t i = 0; i < request->count; i++)
            hone_tuned_say_no(result->verdicts[i].compared, "nothing was to be verified");
        return HONE_OK;
    }
    enum hone_status status = take_builds(&run, err);
    if (status == HONE_OK && hone_plan_judges_tuned(runner->plan))
        return verify_again(&run, err);
    if (status == HONE_OK) status = find_expected(&run, err);
    run.end = hone_clock_seconds() + request->seconds;
    if (status == HONE_OK && !runner->lost[0])
        status = runner->tuned.expected.data && !result->no_reference[0]
                     ? compare_with_reference(&run, err)
                     : hone_tuned_vote(&run, err);
    hone_stage_close(&run.stage);
    return status;
}

// --- for evaluators ---

// The trial says so from now on.
static enum hone_status keep_compared(struct hone_evaluator *evaluator,
                                      struct hone_trial *trial, const char *why,
                                      struct hone_error *err)
{
    char compared[HONE_COMPARED_MAX];
    struct hone_trial judged = *trial;
    hone_tuned_say_no(compared, why);
    judged.compared = compared;
    enum hone_status status = hone_evaluator_keep(evaluator, &judged, err);
    if (status == HONE_OK) *trial = judged;
    return status;
}

enum hone_status hone_tuned_takes_too_long(bool *too_long,
                                           struct hone_evaluator *evaluator,
                                           struct hone_confirmation *confirmation,
                                           const struct hone_candidate *candidates,
                                           struct hone_error *err)
{
    double seconds = 0;
    char why[HONE_COMPARED_MAX];
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < confirmation->count; i++) {
        if (!candidates[i].count) continue;
        const uint32_t *grid = candidates[i].variants[0].job.geometry.grid;
        seconds += hone_trial_metric(&confirmation->trials[i], "issued_per_block", 0) *
                   grid[0] * grid[1] * grid[2] / emulated_per_s;
    }
    *too_long = seconds > confirmation->seconds;
    if (!*too_long) return HONE_OK;
    snprintf(why, sizeof why, "needs about %s s of emulation, limit %s s",
             hone_plain(seconds, 2).text, hone_plain(confirmation->seconds, 3).text);
    for (size_t i = 0; status == HONE_OK && i < confirmation->count; i++)
        status = keep_compared(evaluator, &confirmation->trials[i], why, err);
    return status;
}

enum hone_status hone_tuned_judge(struct hone_evaluator *evaluator,
                                  struct hone_trial *trial,
                                  const struct hone_verdict *verdict,
                                  const char *undecided, struct hone_error *err)
{
    struct hone_trial judged = *trial;
    if (verdict->outcome == HONE_VALID && !verdict->compared[0])
        return keep_compared(evaluator, trial, undecided, err);
    judged.compared = verdict->compared;
    if (verdict->outcome != HONE_VALID) {
        judged.outcome = verdict->outcome;
        judged.found = &verdict->found;
        judged.reason = verdict->reason;
    }
    enum hone_status status = hone_evaluator_keep(evaluator, &judged, err);
    if (status == HONE_OK) *trial = judged;
    return status;
}
