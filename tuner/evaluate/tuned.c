#include "evaluate/tuned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "fault.h"
#include "symbols.h"
#include "tuned_run.h"

// A race that shows once in a while shows sooner in three launches than in one. What is
// emulated computes the same each time.
enum { LAUNCHES = 3 };

void hone_tuned_fini(struct hone_tuned *tuned)
{
    hone_outputs_fini(&tuned->expected);
    *tuned = (struct hone_tuned){0};
}

double hone_tuned_now(const struct hone_runner *runner)
{
    return hone_tuned_is_emulated(runner) ? hone_clock_thread_seconds()
                                          : hone_clock_seconds();
}

void hone_tuned_say_no(char compared[HONE_COMPARED_MAX], const char *why)
{
    snprintf(compared, HONE_COMPARED_MAX, "no: %.*s", HONE_COMPARED_MAX - 5, why);
}

static void take_fault(struct hone_verdict *verdict, const struct hone_fault *fault)
{
    verdict->outcome = fault->outcome;
    verdict->found = hone_runner_found(fault);
    memcpy(verdict->reason, fault->reason, sizeof verdict->reason);
}

struct hone_tuned_words hone_tuned_would_need(double seconds)
{
    struct hone_tuned_words words;
    snprintf(words.text, sizeof words.text, "would need over %s s of emulation",
             hone_plain(seconds, 3).text);
    return words;
}

void hone_tuned_append_where(const struct hone_runner *runner, struct hone_fault *fault)
{
    const char *where = runner->plan->tuned.where;
    const size_t used = strlen(fault->reason);
    snprintf(fault->reason + used, sizeof fault->reason - used, ", at %s%sthe tuned size",
             where, where[0] ? ", " : "");
}

enum hone_status hone_tuned_open_stage(struct tuned_run *run, const struct hone_job *job,
                                       struct hone_error *err)
{
    hone_buffers_fini(&run->runner->timing); // it is made again when somebody is timed
    enum hone_status status = hone_stage_open(&run->stage, run->runner->device, job,
                                              run->runner->plan->options.data_seed, err);
    run->open = status == HONE_OK;
    return status;
}

// --- one of them ---

static size_t launches_of(const struct tuned_run *run)
{
    return hone_tuned_is_emulated(run->runner) ? 1 : LAUNCHES;
}

// What a fault says of the kernel: of one that is emulated, being late says nothing.
static void keep_fault(const struct tuned_run *run, struct hone_fault *fault,
                       struct hone_verdict *verdict)
{
    if (fault->outcome == HONE_TIMED_OUT && hone_tuned_is_emulated(run->runner)) {
        hone_tuned_say_no(verdict->compared,
                          hone_tuned_would_need(run->request->seconds).text);
        return;
    }
    hone_tuned_append_where(run->runner, fault);
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
    const double left = run->end - hone_tuned_now(runner);
    const struct hone_stage_launches launches = {
        .count = launches_of(run),
        .deadline_s =
            hone_tuned_is_emulated(runner) ? fmax(left, 1e-3) : runner->deadline_s};
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
    if (hone_tuned_now(run->runner) >= run->end)
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
    if (!run->open)
        status = hone_tuned_open_stage(run, &candidate->variants[0].job, &why);
    if (status == HONE_OK && may_compute(run, candidate, verdict))
        status = compute(run, candidate, outputs, verdict, &why);
    if (status == HONE_OK) return status;
    if (!hone_tuned_is_shortage(status)) return hone_error_pass(err, status, &why);
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
    hone_tuned_append_where(run->runner, fault);
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

static enum hone_status compare_all(struct tuned_run *run, struct hone_error *err)
{
    struct hone_runner *runner = run->runner;
    enum hone_status status = hone_tuned_find_expected(run, err);
    run->end = hone_tuned_now(runner) + run->request->seconds;
    if (status == HONE_OK && !runner->lost[0])
        status = runner->tuned.expected.data && !run->result->no_reference[0]
                     ? compare_with_reference(run, err)
                     : hone_tuned_vote(run, err);
    hone_stage_close(&run->stage);
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
    result->spent_s = 0;
    for (size_t i = 0; i < request->count; i++)
        result->verdicts[i] = (struct hone_verdict){.outcome = HONE_VALID};
    if (runner->plan->options.flags & HONE_EVALUATE_NO_VERIFY) {
        for (size_t i = 0; i < request->count; i++)
            hone_tuned_say_no(result->verdicts[i].compared, "nothing was to be verified");
        return HONE_OK;
    }
    enum hone_status status = take_builds(&run, err);
    const double start = hone_tuned_now(runner);
    if (status == HONE_OK)
        status = hone_plan_judges_tuned(runner->plan) ? verify_again(&run, err)
                                                      : compare_all(&run, err);
    result->spent_s = hone_tuned_now(runner) - start;
    return status;
}
