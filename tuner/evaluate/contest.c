#include "evaluate/contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "evaluate/module.h"
#include "fault.h"
#include "hone/rng.h"
#include "timed.h"

// Launches in a row of one configuration: a median of three survives one disturbance.
enum { IN_A_ROW = 3 };

// What inputs of their own may take of the device's memory, all together.
static const double private_share = 0.25;

// A round counts energy over this share of a search's time: rounds make up for it.
static const double energy_share = 0.25;

struct contender {
    const struct hone_variant *variant;
    struct hone_timed_job at; // without a module it does not take part
    struct hone_timed timed;
    double room;             // in bytes, for inputs of its own; 0: none are wanted
    struct hone_buffers own; // {0}: it shares the runner's
    bool differs; // from what it computed before it was timed: its times do not count
};

static void leave(struct contender *contender)
{
    hone_module_unload(&contender->at.kernel, contender->at.runner->device);
    hone_timed_fini(&contender->timed);
    hone_buffers_fini(&contender->own);
}

static struct hone_time_policy contest_policy(const struct hone_evaluate_options *options,
                                              const struct hone_contest *contest)
{
    struct hone_time_policy policy = options->policy;
    policy.min_samples = policy.max_samples = IN_A_ROW;
    policy.brief = true;
    policy.energy_ms *= energy_share;
    policy.sustained = contest->sustained;
    policy.sustained_s = contest->turn_s;
    return policy;
}

// Who goes wrong is out, and maybe the device.
static void note_fault(struct contender *contender, const struct hone_fault *fault)
{
    if (fault->outcome == HONE_VALID) return;
    hone_runner_note_loss(contender->at.runner, fault);
    contender->differs = fault->finding == HONE_FINDING_STATE;
    if (contender->differs) hone_log(HONE_LOG_WARNING, "a finalist %s", fault->reason);
    leave(contender);
}

// Inputs that no other contender leaves in a cache, or overwrites; where there is no room
// for them it shares the others'.
static enum hone_status make_own_buffers(struct contender *contender,
                                         struct hone_error *err)
{
    struct hone_runner *runner = contender->at.runner;
    struct hone_error full = {0};
    const struct hone_job *job = &contender->variant->job;
    if (hone_job_bytes(job) > contender->room) return HONE_OK;
    enum hone_status status =
        hone_buffers_init(&contender->own, runner->device, job, &full);
    contender->own.filler = &runner->filler;
    if (status == HONE_OK || status == HONE_ELIMIT) return HONE_OK;
    return hone_error_pass(err, status, &full);
}

// Its data as it is to be timed, in buffers that others may have used.
static enum hone_status make_data(struct contender *contender, struct hone_error *err)
{
    struct hone_timed_job *at = &contender->at;
    if (!contender->own.device)
        return hone_runner_buffers(at->runner, &at->kernel, &at->buffers, err);
    at->buffers = &contender->own;
    return hone_buffers_randomise(at->buffers, at->kernel.job, at->kernel.module,
                                  at->runner->plan->options.data_seed, err);
}

static enum hone_status load_contender(struct contender *contender,
                                       struct hone_fault *fault, struct hone_error *err)
{
    struct hone_timed_job *at = &contender->at;
    enum hone_status status =
        hone_runner_load(at->runner, contender->variant, at, fault, err);
    if (!hone_is_right(status, fault)) return status;
    if (contender->room > 0) status = make_own_buffers(contender, err);
    if (status == HONE_OK) status = make_data(contender, err);
    if (status != HONE_OK) return status;
    return hone_timed_begin(&contender->timed, at, fault, err);
}

static enum hone_status enter(struct contender *contender,
                              struct hone_candidate *candidate, struct hone_error *err)
{
    bool launches = false;
    enum hone_status status =
        hone_runner_take(contender->at.runner, candidate, &launches, err);
    if (status != HONE_OK || candidate->trial.outcome != HONE_VALID) return status;
    struct hone_fault fault = {.outcome = HONE_VALID};
    contender->variant = &candidate->variants[0];
    status = load_contender(contender, &fault, err);
    note_fault(contender, &fault);
    return status;
}

static enum hone_status time_one(const struct contender *contender,
                                 const struct hone_time_policy *policy,
                                 struct hone_timing *timing, struct hone_fault *fault,
                                 struct hone_error *err)
{
    const struct hone_timed_job *at = &contender->at;
    struct hone_device *device = at->runner->device;
    enum hone_status status = hone_timed_arm(&contender->timed, at, err);
    if (status != HONE_OK) return status;
    const struct hone_launch launch =
        hone_buffers_launch(at->buffers, at->kernel.job, at->runner->deadline_s);
    status =
        device->fns->time(device, at->kernel.module, &launch, policy, timing, fault, err);
    if (!hone_is_right(status, fault)) return status;
    return hone_timed_check(&contender->timed, at, fault, err);
}

// They may share their buffers, so what differs may be another's fault, who changed an
// input: with a module and data of its own it has no excuse.
static enum hone_status time_again(struct contender *contender,
                                   const struct hone_time_policy *policy,
                                   struct hone_timing *timing, struct hone_fault *fault,
                                   struct hone_error *err)
{
    hone_timed_distrust(contender->at.buffers);
    leave(contender);
    enum hone_status status = load_contender(contender, fault, err);
    if (!hone_is_right(status, fault)) return status;
    status = time_one(contender, policy, timing, fault, err);
    if (!hone_is_right(status, fault)) return status;
    return hone_timed_finish(&contender->timed, &contender->at, fault, err);
}

static enum hone_status measure_one(struct contender *contender,
                                    const struct hone_contest *contest, double *cost,
                                    struct hone_error *err)
{
    const struct hone_evaluate_options *options = &contender->at.runner->plan->options;
    const struct hone_time_policy policy = contest_policy(options, contest);
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_timing timing = {.time_us = (double)NAN, .energy_j = (double)NAN};
    enum hone_status status = make_data(contender, err);
    if (status != HONE_OK) return status;
    status = time_one(contender, &policy, &timing, &fault, err);
    if (status == HONE_OK && fault.finding == HONE_FINDING_STATE)
        status = time_again(contender, &policy, &timing, &fault, err);
    if (status != HONE_OK) return status;
    if (fault.finding != HONE_FINDING_STATE)
        *cost = hone_objective_cost(options->objective, timing.time_us, timing.energy_j,
                                    contender->variant->job.flops);
    note_fault(contender, &fault);
    return HONE_OK;
}

static void shuffle(size_t *order, size_t count, struct hone_rng *rng)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    hone_rng_shuffle(rng, order, count);
}

static void reverse(size_t *order, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const size_t kept = order[i];
        order[i] = order[count - 1 - i];
        order[count - 1 - i] = kept;
    }
}

static enum hone_status contest_run(struct hone_runner *runner,
                                    struct contender *contenders, size_t *order,
                                    const struct hone_contest *contest, double *costs,
                                    struct hone_error *err)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, contest->seed);
    for (size_t round = 0; round < contest->rounds; round++) {
        if (contest->sustained && round % 2) // what rises or falls steadily cancels
            reverse(order, contest->count);
        else
            shuffle(order, contest->count, &rng);
        for (size_t i = 0; i < contest->count; i++) {
            struct contender *contender = &contenders[order[i]];
            if (!contender->at.kernel.module || runner->lost[0]) continue;
            enum hone_status status = measure_one(
                contender, contest, &costs[round * contest->count + order[i]], err);
            if (status != HONE_OK) return status;
        }
    }
    return HONE_OK;
}

// Its times do not count.
static void forget_costs(const struct hone_contest *contest, size_t i, double *costs)
{
    for (size_t round = 0; round < contest->rounds; round++)
        costs[round * contest->count + i] = (double)NAN;
}

// Whose launches change what they start from are looked at when all rounds are over.
static enum hone_status judge_one(struct contender *contender, struct hone_error *err)
{
    const struct hone_time_policy policy = contest_policy(
        &contender->at.runner->plan->options, &(const struct hone_contest){0});
    struct hone_fault fault = {.outcome = HONE_VALID};
    struct hone_timing timing = {.time_us = (double)NAN};
    enum hone_status status = make_data(contender, err);
    if (status != HONE_OK) return status;
    status = hone_timed_finish(&contender->timed, &contender->at, &fault, err);
    if (status == HONE_OK && fault.finding == HONE_FINDING_STATE)
        status = time_again(contender, &policy, &timing, &fault, err);
    note_fault(contender, &fault);
    return status;
}

static enum hone_status judge_timed(struct contender *contenders,
                                    const struct hone_contest *contest, double *costs,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < contest->count; i++) {
        struct contender *contender = &contenders[i];
        if (contender->at.kernel.module && !contender->at.runner->lost[0])
            status = judge_one(contender, err);
        if (contender->differs) forget_costs(contest, i, costs);
    }
    return status;
}

// A kernel that is right once and wrong later, or that only breaks when it is launched
// often.
static enum hone_status verify_again(struct hone_runner *runner,
                                     const struct hone_candidate *candidates,
                                     const struct hone_contest *contest, double *costs,
                                     struct hone_error *err)
{
    for (size_t i = 0; i < contest->count && !runner->lost[0]; i++) {
        struct hone_fault fault = {.outcome = HONE_VALID};
        if (candidates[i].trial.outcome != HONE_VALID) continue;
        struct hone_launch_report report = {0};
        enum hone_status status =
            hone_runner_verify(runner, &candidates[i], &report, &fault, err);
        if (status != HONE_OK) return status;
        if (fault.outcome == HONE_VALID) continue;
        hone_log(HONE_LOG_WARNING,
                 "a finalist was right before it was timed, not now: %s", fault.reason);
        hone_runner_note_loss(runner, &fault);
        forget_costs(contest, i, costs);
    }
    return HONE_OK;
}

static double own_room(const struct hone_runner *runner, size_t contenders)
{
    return private_share * (double)runner->device->limits.memory_bytes /
           (double)contenders;
}

enum hone_status hone_runner_contest(struct hone_runner *runner,
                                     struct hone_candidate *candidates,
                                     const struct hone_contest *contest, double *costs,
                                     struct hone_error *err)
{
    const size_t count = contest->count;
    for (size_t i = 0; i < contest->rounds * count; i++)
        costs[i] = (double)NAN;
    struct contender *contenders = calloc(count + 1, sizeof *contenders);
    size_t *order = calloc(count + 1, sizeof *order);
    enum hone_status status = HONE_OK;
    if (!contenders || !order) status = hone_no_memory(err, "for %zu contenders", count);
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        contenders[i].at.runner = runner;
        if (contest->sustained) contenders[i].room = own_room(runner, count);
    }
    // The default comes last wherever it is measured again.
    if (status == HONE_OK && count)
        status = hone_runner_hold(runner, &candidates[count - 1], err);
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = enter(&contenders[i], &candidates[i], err);
    if (status == HONE_OK)
        status = contest_run(runner, contenders, order, contest, costs, err);
    if (status == HONE_OK) status = judge_timed(contenders, contest, costs, err);
    if (status == HONE_OK && contest->verify)
        status = verify_again(runner, candidates, contest, costs, err);
    for (size_t i = 0; contenders && order && i < count; i++)
        leave(&contenders[i]);
    free(contenders);
    free(order);
    return status;
}
