// Counters of the hardware at the end of a search, by a worker that measures nothing
// else: it may be refused, or take its process with it, and what was found stands.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "evaluate/evaluator.h"
#include "space/trial_keep.h"
#include "tuning/workers.h"
#include "tuning_step.h"

// A worker elsewhere that has not begun by then may be in a queue, for hours.
static const double queue_most_s = 60;

// One worker. Here it is on the device that was measured on, which is locked. Elsewhere
// it is by the first command and locks its GPU itself; it may need what the search's
// workers hold, so those end first.
static enum hone_status open_counter(struct hone_pool **out,
                                     const struct tuning_step *step,
                                     struct hone_error *err)
{
    const struct hone_tuning_options *o = step->options;
    const bool elsewhere = o->worker_count && (!o->device || !strcmp(o->device, "auto"));
    struct hone_workers_options workers = {
        .device = elsewhere ? "auto" : step->target.info.device_id,
        .program = o->program,
        .builder = &o->builder,
        .commands = o->workers,
        .command_count = elsewhere ? 1 : 0,
        .clock = elsewhere ? HONE_CLOCK_NONE : HONE_CLOCK_EVENT,
        .unlocked = !elsewhere,
        .no_wait = true,
        .deadlines = o->deadlines,
        .cancel = o->cancel};
    if (elsewhere) {
        const double most = o->deadlines.queue;
        workers.deadlines.queue = most > 0 ? fmin(most, queue_most_s) : queue_most_s;
        hone_pool_end_workers(step->target.pool);
    }
    return hone_workers_open(out, &workers, err);
}

static struct hone_evaluate_options counting_options(const struct hone_tuning_options *o)
{
    struct hone_evaluate_options options = {
        .flags = HONE_EVALUATE_NO_VERIFY | HONE_EVALUATE_QUIET | HONE_EVALUATE_COUNT,
        .policy = hone_time_policy_default,
        .data_seed = o->seed,
        .deadline_s = o->deadlines.launch_most};
    if (o->counting == HONE_COUNTING_FULL) options.flags |= HONE_EVALUATE_COUNT_ALL;
    options.policy.warm_cache = o->warm_cache;
    return options;
}

static enum hone_status warn(struct tuning_step *step, const char *why,
                             struct hone_error *err)
{
    char note[HONE_REASON_MAX + 32];
    snprintf(note, sizeof note, "no counters: %s", why);
    hone_log(HONE_LOG_WARNING, "%s", note);
    return hone_journal_note(step->journal, note, err);
}

// *goes_on: the next one may fare better.
static enum hone_status count_trial(struct tuning_step *step,
                                    struct hone_evaluator *evaluator,
                                    struct hone_trial *trial, bool *goes_on,
                                    struct hone_error *err)
{
    struct hone_trial counted;
    struct hone_error why = {0};
    enum hone_status status = hone_evaluate_one(&counted, evaluator, trial->index, &why);
    *goes_on = status == HONE_OK && counted.outcome == HONE_VALID;
    if (status == HONE_ECANCELLED) return HONE_OK;
    if (status != HONE_OK) return warn(step, why.text, err);
    if (!*goes_on) return warn(step, counted.reason, err);
    struct hone_trial whole = *trial;
    whole.counters = counted.counters;
    status = hone_trial_keep(&whole, &step->target.arena, err);
    if (status != HONE_OK) return status;
    *trial = whole;
    return hone_journal_append_of(step->journal, trial, step->target.space, err);
}

static enum hone_status count_both(struct tuning_step *step,
                                   struct hone_evaluator *evaluator,
                                   struct hone_error *err)
{
    struct hone_session_result *result = &step->result;
    bool goes_on = true;
    enum hone_status status = count_trial(step, evaluator, &result->best, &goes_on, err);
    if (status != HONE_OK || !goes_on || !result->has_first) return status;
    if (result->first.index != result->best.index)
        return count_trial(step, evaluator, &result->first, &goes_on, err);
    result->first.counters = result->best.counters;
    return HONE_OK;
}

enum hone_status hone_tuning_count(struct tuning_step *step, struct hone_error *err)
{
    const struct hone_tuning_options *o = step->options;
    const struct hone_evaluate_options options = counting_options(o);
    struct hone_pool *pool = NULL;
    struct hone_evaluator *evaluator = NULL;
    struct hone_error why = {0};
    const char *nvrtc;
    if (!o->counting || !step->result.has_best ||
        step->result.stop == HONE_STOP_CANCELLED || (o->cancel && *o->cancel))
        return HONE_OK;
    enum hone_status status = open_counter(&pool, step, &why);
    if (status == HONE_OK)
        status = hone_evaluator_pool(&evaluator, &nvrtc, pool, step->target.bench.kernel,
                                     &options, &why);
    if (status == HONE_OK)
        status = count_both(step, evaluator, err);
    else
        status = status == HONE_ECANCELLED ? HONE_OK : warn(step, why.text, err);
    hone_evaluator_close(evaluator);
    hone_pool_close(pool);
    return status;
}
