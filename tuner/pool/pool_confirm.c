// Results at the tuned size, compared by a worker. A kernel may take the worker with it,
// and so may a reference that is too slow: who is undecided then goes to the next one,
// without what did the harm.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "pool_internal.h"

// Each configuration may take one worker with it, and the reference one more.
enum { LAUNCHES = 3 };

// What reading back and comparing may take beside the launches, and a reference.
static const double slack_s = 120;

// What is emulated spends processor time, of which a busy machine gives it a part.
static const double least_part = 0.1;

struct confirm {
    struct hone_pool *pool;
    struct hone_confirmation *asked;
    struct hone_candidate *candidates; // all of them, in the order asked
    struct hone_verdict *verdicts;     // of all
};

static bool is_undecided(const struct hone_verdict *verdict)
{
    return verdict->outcome == HONE_VALID && !verdict->compared[0];
}

static enum hone_status pool_confirm_resolve(struct confirm *c, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    const size_t count = c->asked->count;
    c->candidates = calloc(count + 1, sizeof *c->candidates);
    c->verdicts = calloc(count + 1, sizeof *c->verdicts);
    if (!c->candidates || !c->verdicts)
        return hone_no_memory(err, "for %zu results", count);
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        c->verdicts[i].outcome = HONE_VALID;
        status = hone_plan_candidate(&c->pool->plan, c->asked->trials[i].index,
                                     &c->candidates[i], err);
    }
    return status;
}

// Send count of the candidates, those of numbers.
static enum hone_status pool_confirm_ask(struct confirm *c, const size_t *numbers,
                                         size_t count, struct hone_tuned_result *result,
                                         bool *answered, struct hone_error *err)
{
    const double deadline_s = hone_pool_launch_deadline(c->pool);
    const bool emulated = hone_pool_facts(c->pool).clock == HONE_CLOCK_EMULATED;
    const double part = emulated ? least_part : 1;
    struct hone_message message = {.type = HONE_MESSAGE_CONFIRM};
    struct hone_pool_task task = {.phase = HONE_MEMBER_CONFIRM,
                                  .frame = HONE_STRBUF_INIT,
                                  .count = count,
                                  .result = result,
                                  .allowed_s = (double)(LAUNCHES * count) * deadline_s +
                                               2 * c->asked->seconds / part + slack_s};
    message.confirm.seconds = c->asked->seconds;
    message.confirm.deadline_s = deadline_s;
    memcpy(message.confirm.no_reference, c->pool->no_reference,
           sizeof message.confirm.no_reference);
    message.confirm.count = count;
    message.confirm.candidates = calloc(count + 1, sizeof *message.confirm.candidates);
    if (!message.confirm.candidates) return hone_no_memory(err, "for %zu results", count);
    for (size_t i = 0; i < count; i++)
        message.confirm.candidates[i] = c->candidates[numbers[i]];
    enum hone_status status = hone_message_write(&task.frame, &message, err);
    free(message.confirm.candidates);
    if (status == HONE_OK) status = hone_pool_hold(c->pool, &task, err);
    hone_strbuf_fini(&task.frame);
    *answered = task.done;
    return status;
}

// One worker's word on all who are undecided. *progress: it decided something, or why
// there is no reference.
static enum hone_status ask_for_undecided(struct confirm *c, size_t *numbers,
                                          bool *progress, struct hone_error *err)
{
    size_t count = 0;
    for (size_t i = 0; i < c->asked->count; i++)
        if (is_undecided(&c->verdicts[i])) numbers[count++] = i;
    *progress = false;
    if (!count) return HONE_OK;
    struct hone_tuned_result result = {.verdicts =
                                           calloc(count + 1, sizeof *result.verdicts)};
    if (!result.verdicts) return hone_no_memory(err, "for %zu results", count);
    bool answered = false;
    const double start = hone_clock_seconds();
    enum hone_status status =
        pool_confirm_ask(c, numbers, count, &result, &answered, err);
    // Who is lost cannot say what it spent.
    c->asked->spent_s += answered ? result.spent_s : hone_clock_seconds() - start;
    for (size_t i = 0; status == HONE_OK && answered && i < count; i++) {
        c->verdicts[numbers[i]] = result.verdicts[i];
        *progress |= !is_undecided(&result.verdicts[i]);
    }
    if (status == HONE_OK && answered) {
        c->asked->undecided |= result.undecided;
        char *known = c->pool->no_reference; // no worker tries that again
        *progress |= strcmp(known, result.no_reference) != 0;
        memcpy(known, result.no_reference, sizeof result.no_reference);
    }
    free(result.verdicts);
    return status;
}

static enum hone_status ask_all(struct confirm *c, struct hone_error *err)
{
    size_t *numbers = calloc(c->asked->count + 1, sizeof *numbers);
    if (!numbers) return hone_no_memory(err, "for %zu results", c->asked->count);
    bool progress = true;
    enum hone_status status = HONE_OK;
    while (status == HONE_OK && progress)
        status = ask_for_undecided(c, numbers, &progress, err);
    free(numbers);
    for (size_t i = 0; status == HONE_OK && i < c->asked->count; i++)
        status = hone_tuned_judge(c->pool->evaluator, &c->asked->trials[i],
                                  &c->verdicts[i], "two workers ended over it", err);
    return status;
}

enum hone_status hone_pool_confirm(struct hone_evaluator *evaluator,
                                   struct hone_confirmation *confirmation,
                                   struct hone_error *err)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    struct confirm c = {.pool = own->pool, .asked = confirmation};
    assert(!c.pool->job_count);
    confirmation->undecided = false;
    confirmation->spent_s = 0;
    enum hone_status status = pool_confirm_resolve(&c, err);
    bool too_long = false;
    if (status == HONE_OK)
        status = hone_tuned_takes_too_long(&too_long, evaluator, confirmation,
                                           c.candidates, err);
    if (status == HONE_OK && !too_long) status = ask_all(&c, err);
    confirmation->reference_wrong = status != HONE_OK && c.pool->reference_wrong;
    for (size_t i = 0; c.candidates && i < confirmation->count; i++)
        hone_candidate_fini(&c.candidates[i], NULL);
    free(c.candidates);
    free(c.verdicts);
    return status;
}
