// Every stage in this process on one device. A submitted configuration is resolved and
// its builds queued at once; waiting takes the oldest one through prune, verify and time
// while the pool builds those behind it. So trials come back in the order of submission,
// whatever finished first.
#include <assert.h>
#include <stdlib.h>

#include "evaluate/contest.h"
#include "evaluate/evaluator.h"
#include "evaluate/runner.h"

struct direct {
    struct hone_plan plan;
    struct hone_runner runner;
    struct hone_builder *builder;
    struct hone_candidate *queue; // ring of capacity
    size_t capacity, oldest, in_flight;
    struct hone_candidate ahead; // its builds are queued; count 0: none is
};

static size_t direct_capacity(struct hone_evaluator *evaluator)
{
    const struct direct *direct = evaluator->priv;
    return direct->capacity;
}

static enum hone_status queue_candidate(const struct direct *direct,
                                        struct hone_candidate *candidate, uint64_t index,
                                        const struct hone_device *device,
                                        struct hone_builder *builder,
                                        struct hone_error *err)
{
    char arch[HONE_ARCH_TEXT];
    hone_plan_arch(arch, &direct->plan, device);
    enum hone_status status = hone_plan_candidate(&direct->plan, index, candidate, err);
    if (status == HONE_OK) status = hone_candidate_queue(candidate, builder, arch, err);
    if (status != HONE_OK) hone_candidate_fini(candidate, builder);
    return status;
}

static enum hone_status direct_submit(struct hone_evaluator *evaluator, uint64_t index,
                                      struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    const struct hone_runner *runner = &direct->runner;
    assert(direct->in_flight < direct->capacity);
    enum hone_status status = hone_runner_check_alive(runner, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidate =
        &direct->queue[(direct->oldest + direct->in_flight) % direct->capacity];
    if (direct->ahead.count && direct->ahead.trial.index == index) {
        *candidate = direct->ahead;
        direct->ahead = (struct hone_candidate){0};
        direct->in_flight++;
        return HONE_OK;
    }
    status =
        queue_candidate(direct, candidate, index, runner->device, runner->builder, err);
    if (status == HONE_OK) direct->in_flight++;
    return status;
}

static enum hone_status direct_evaluate(struct hone_evaluator *evaluator,
                                        struct hone_candidate *candidate,
                                        struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    bool launches = false;
    enum hone_status status =
        hone_runner_take(&direct->runner, candidate, &launches, err);
    if (status != HONE_OK || !launches) return status;
    status = hone_evaluator_begin(evaluator, candidate->trial.index, err);
    if (status == HONE_OK) status = hone_runner_measure(&direct->runner, candidate, err);
    return status;
}

static enum hone_status direct_wait(struct hone_evaluator *evaluator,
                                    struct hone_trial *out, size_t cap, size_t *count,
                                    struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    *count = 0;
    if (!direct->in_flight || !cap) return HONE_OK;
    enum hone_status status = hone_runner_check_alive(&direct->runner, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidate = &direct->queue[direct->oldest];
    status = direct_evaluate(evaluator, candidate, err);
    if (status == HONE_OK) {
        *out = hone_candidate_trial(candidate);
        status = hone_evaluator_keep(evaluator, out, err);
        *count = status == HONE_OK;
    }
    hone_candidate_fini(candidate, direct->runner.builder);
    direct->oldest = (direct->oldest + 1) % direct->capacity;
    direct->in_flight--;
    return status;
}

// A candidate of each index, its builds queued.
static enum hone_status queue_all(struct direct *direct, const uint64_t *indices,
                                  size_t count, struct hone_candidate *candidates,
                                  struct hone_error *err)
{
    const struct hone_runner *runner = &direct->runner;
    char arch[HONE_ARCH_TEXT];
    hone_plan_arch(arch, &direct->plan, runner->device);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        status = hone_plan_candidate(&direct->plan, indices[i], &candidates[i], err);
        if (status == HONE_OK)
            status = hone_candidate_queue(&candidates[i], runner->builder, arch, err);
    }
    return status;
}

static enum hone_status direct_contest(struct hone_evaluator *evaluator,
                                       const struct hone_contest *contest, double *costs,
                                       struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    struct hone_runner *runner = &direct->runner;
    enum hone_status status = hone_runner_check_alive(runner, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidates = calloc(contest->count + 1, sizeof *candidates);
    if (!candidates) return hone_no_memory(err, "for %zu contenders", contest->count);
    status = queue_all(direct, contest->indices, contest->count, candidates, err);
    if (status == HONE_OK)
        status = hone_runner_contest(runner, candidates, contest, costs, err);
    for (size_t i = 0; i < contest->count; i++)
        hone_candidate_fini(&candidates[i], runner->builder);
    free(candidates);
    return status;
}

// What this process can judge: who is left by a lost device is not.
static enum hone_status judge(struct hone_evaluator *evaluator,
                              struct hone_candidate *candidates,
                              struct hone_confirmation *confirmation,
                              struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    struct hone_runner *runner = &direct->runner;
    const size_t count = confirmation->count;
    struct hone_tuned_result result = {.verdicts =
                                           calloc(count + 1, sizeof *result.verdicts)};
    if (!result.verdicts) return hone_no_memory(err, "for %zu results", count);
    const struct hone_tuned_request request = {
        .candidates = candidates, .count = count, .seconds = confirmation->seconds};
    enum hone_status status = hone_runner_confirm(runner, &request, &result, err);
    for (size_t i = 0; status == HONE_OK && i < count; i++)
        status = hone_tuned_judge(evaluator, &confirmation->trials[i],
                                  &result.verdicts[i], runner->lost, err);
    confirmation->spent_s = result.spent_s;
    confirmation->undecided = result.undecided;
    confirmation->reference_wrong = result.reference_wrong;
    free(result.verdicts);
    return status;
}

static enum hone_status direct_confirm(struct hone_evaluator *evaluator,
                                       struct hone_confirmation *confirmation,
                                       struct hone_error *err)
{
    struct direct *direct = evaluator->priv;
    const size_t count = confirmation->count;
    bool too_long = false;
    assert(!direct->in_flight);
    confirmation->spent_s = 0;
    enum hone_status status = hone_runner_check_alive(&direct->runner, err);
    if (status != HONE_OK) return status;
    struct hone_candidate *candidates = calloc(count + 1, sizeof *candidates);
    uint64_t *indices = calloc(count + 1, sizeof *indices);
    for (size_t i = 0; indices && i < count; i++)
        indices[i] = confirmation->trials[i].index;
    if (candidates && indices)
        status = queue_all(direct, indices, count, candidates, err);
    else
        status = hone_no_memory(err, "for %zu results", count);
    if (status == HONE_OK)
        status = hone_tuned_takes_too_long(&too_long, evaluator, confirmation, candidates,
                                           err);
    if (status == HONE_OK && !too_long)
        status = judge(evaluator, candidates, confirmation, err);
    for (size_t i = 0; candidates && i < count; i++)
        hone_candidate_fini(&candidates[i], direct->runner.builder);
    free(candidates);
    free(indices);
    return status;
}

static void direct_close(struct hone_evaluator *evaluator)
{
    struct direct *direct = evaluator->priv;
    for (size_t i = 0; i < direct->in_flight; i++)
        hone_candidate_fini(&direct->queue[(direct->oldest + i) % direct->capacity],
                            direct->runner.builder);
    hone_candidate_fini(&direct->ahead, direct->builder);
    free(direct->queue);
    hone_runner_fini(&direct->runner);
    hone_plan_fini(&direct->plan);
}

static const struct hone_evaluator_fns direct_fns = {
    .name = "direct",
    .priv_size = sizeof(struct direct),
    .capacity = direct_capacity,
    .submit = direct_submit,
    .wait = direct_wait,
    .contest = direct_contest,
    .confirm = direct_confirm,
    .close = direct_close,
};

enum hone_status
hone_evaluator_direct(struct hone_evaluator **out, const struct hone_kernel *kernel,
                      struct hone_device *device, struct hone_builder *builder,
                      const struct hone_evaluate_options *options, struct hone_error *err)
{
    struct hone_evaluator *evaluator = NULL;
    enum hone_status status = hone_evaluator_make(&evaluator, &direct_fns, err);
    if (status != HONE_OK) return status;
    struct direct *direct = evaluator->priv;
    direct->builder = builder;
    direct->capacity = hone_lookahead(options->lookahead, hone_builder_threads(builder),
                                      device->clock != HONE_CLOCK_EMULATED);
    direct->queue = calloc(direct->capacity, sizeof *direct->queue);
    if (!direct->queue) status = hone_no_memory(err, "for the evaluator");
    if (status == HONE_OK) status = hone_plan_init(&direct->plan, kernel, options, err);
    if (status == HONE_OK && options->first)
        status = queue_candidate(direct, &direct->ahead, *options->first, device, builder,
                                 err);
    if (status == HONE_OK)
        status = hone_runner_init(&direct->runner, device, builder, &direct->plan, err);
    if (status == HONE_OK)
        *out = evaluator;
    else
        hone_evaluator_close(evaluator);
    return status;
}
