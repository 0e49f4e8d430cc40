// The pool as an evaluator: configurations are resolved here, measured there, and come
// back one at a time; from a single worker in the order of submission, so that a run
// repeats by its seed.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/evaluator.h"
#include "pool_internal.h"

static size_t pool_capacity(struct hone_evaluator *evaluator)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    return own->pool->capacity;
}

// What cannot even be resolved is finished at once.
static enum hone_status fill_job(struct hone_pool *pool, struct hone_pool_job *job,
                                 uint64_t index, struct hone_error *err)
{
    struct hone_candidate candidate;
    enum hone_status status = hone_plan_candidate(&pool->plan, index, &candidate, err);
    const struct hone_message message = {
        .type = HONE_MESSAGE_JOB, .id = job->id, .job = &candidate};
    job->trial = hone_candidate_trial(&candidate);
    if (status == HONE_OK)
        status = hone_evaluator_keep(pool->evaluator, &job->trial, err);
    if (status == HONE_OK && candidate.trial.outcome == HONE_VALID)
        status = hone_message_write(&job->frame, &message, err);
    else
        job->done = true;
    hone_candidate_fini(&candidate, NULL);
    return status;
}

static enum hone_status pool_submit(struct hone_evaluator *evaluator, uint64_t index,
                                    struct hone_error *err)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    struct hone_pool *pool = own->pool;
    assert(pool->job_count < pool->capacity);
    struct hone_pool_job *job = &pool->jobs[pool->job_count];
    *job = (struct hone_pool_job){.id = ++pool->last_id, .frame = HONE_STRBUF_INIT};
    enum hone_status status = fill_job(pool, job, index, err);
    if (status != HONE_OK) {
        hone_strbuf_fini(&job->frame);
        return status;
    }
    pool->job_count++;
    hone_pool_dispatch(pool);
    return HONE_OK;
}

// The oldest that is done; of a single worker only the oldest of all.
static bool pool_evaluator_collect(struct hone_pool *pool, struct hone_trial *out)
{
    const size_t looked_at = pool->count == 1 ? 1 : pool->job_count;
    for (size_t i = 0; i < looked_at && i < pool->job_count; i++) {
        struct hone_pool_job *job = &pool->jobs[i];
        if (!job->done) continue;
        *out = job->trial;
        hone_strbuf_fini(&job->frame);
        pool->job_count--;
        memmove(job, job + 1, (pool->job_count - i) * sizeof *job);
        return true;
    }
    return false;
}

static enum hone_status pool_wait(struct hone_evaluator *evaluator,
                                  struct hone_trial *out, size_t cap, size_t *count,
                                  struct hone_error *err)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    struct hone_pool *pool = own->pool;
    *count = 0;
    while (pool->job_count && cap) {
        if (pool_evaluator_collect(pool, out)) {
            *count = 1;
            break;
        }
        hone_pool_dispatch(pool);
        enum hone_status status = hone_pool_step(pool, err);
        if (status != HONE_OK && pool_evaluator_collect(pool, out)) {
            *count = 1; // what came before the end is not lost
            break;
        }
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// --- finals ---

// Over which one worker ended is tried once more; two are enough.
enum hone_status hone_pool_hold(struct hone_pool *pool, struct hone_pool_task *task,
                                struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    pool->task = task;
    while (status == HONE_OK && !task->done && task->deaths < 2) {
        hone_pool_dispatch(pool);
        status = hone_pool_step(pool, err);
    }
    pool->task = NULL;
    return status;
}

static enum hone_status write_contest(struct hone_pool *pool,
                                      const struct hone_contest *asked,
                                      struct hone_pool_task *task, struct hone_error *err)
{
    struct hone_message message = {.type = HONE_MESSAGE_CONTEST};
    struct hone_candidate *candidates = calloc(asked->count + 1, sizeof *candidates);
    if (!candidates) return hone_no_memory(err, "for %zu contenders", asked->count);
    message.contest.terms = *asked;
    message.contest.candidates = candidates;
    message.contest.deadline_s = hone_pool_launch_deadline(pool);
    enum hone_status status = HONE_OK;
    size_t made = 0;
    while (status == HONE_OK && made < asked->count) {
        const uint64_t index = asked->indices[made];
        status = hone_plan_candidate(&pool->plan, index, &candidates[made++], err);
    }
    if (status == HONE_OK) status = hone_message_write(&task->frame, &message, err);
    for (size_t i = 0; i < made; i++)
        hone_candidate_fini(&candidates[i], NULL);
    free(candidates);
    return status;
}

static enum hone_status pool_contest(struct hone_evaluator *evaluator,
                                     const struct hone_contest *contest, double *costs,
                                     struct hone_error *err)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    struct hone_pool *pool = own->pool;
    const size_t samples = contest->count * contest->rounds;
    struct hone_pool_task task = {.phase = HONE_MEMBER_CONTEST,
                                  .frame = HONE_STRBUF_INIT,
                                  .allowed_s =
                                      (double)samples * hone_pool_launch_deadline(pool),
                                  .count = samples,
                                  .costs = costs};
    enum hone_status status = write_contest(pool, contest, &task, err);
    if (status == HONE_OK) status = hone_pool_hold(pool, &task, err);
    hone_strbuf_fini(&task.frame);
    if (status == HONE_OK && !task.done)
        return hone_fail(err, HONE_EDEVICE, "two workers ended over the finals");
    return status;
}

static double pool_absent(const struct hone_evaluator *evaluator)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    return own->pool->counts.absent_s;
}

static void pool_forget(struct hone_evaluator *evaluator)
{
    const struct hone_pool_evaluator *own = evaluator->priv;
    struct hone_pool *pool = own->pool;
    for (size_t i = 0; i < pool->job_count; i++)
        hone_strbuf_fini(&pool->jobs[i].frame);
    pool->job_count = 0;
    free(pool->jobs);
    pool->jobs = NULL;
    hone_plan_fini(&pool->plan);
}

static const struct hone_evaluator_fns fns = {
    .name = "pool",
    .priv_size = sizeof(struct hone_pool_evaluator),
    .capacity = pool_capacity,
    .submit = pool_submit,
    .wait = pool_wait,
    .contest = pool_contest,
    .confirm = hone_pool_confirm,
    .absent_s = pool_absent,
    .close = pool_forget,
};

enum hone_status hone_evaluator_pool(struct hone_evaluator **out, const char **nvrtc,
                                     struct hone_pool *pool,
                                     const struct hone_kernel *kernel,
                                     const struct hone_evaluate_options *options,
                                     struct hone_error *err)
{
    assert(!pool->evaluator);
    struct hone_evaluator *evaluator = NULL;
    enum hone_status status = hone_evaluator_make(&evaluator, &fns, err);
    if (status != HONE_OK) return status;
    *(struct hone_pool_evaluator *)evaluator->priv = (struct hone_pool_evaluator){pool};
    pool->evaluator = evaluator;
    status = hone_plan_init(&pool->plan, kernel, options, err);
    if (status == HONE_OK) status = hone_pool_set_up(pool, err);
    if (status == HONE_OK) {
        *out = evaluator;
        *nvrtc = pool->ready.nvrtc;
    } else {
        hone_evaluator_close(evaluator);
    }
    return status;
}
