// The jobs of a pool: who has which, how long each stage may take, and what becomes of
// them when a worker ends.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/grow.h"
#include "evaluate/evaluator.h"
#include "pool_internal.h"

// A configuration over which two workers ended is not tried again: the first time the
// compile threads, the system's memory killer or an operator may have been the reason.
enum { DEATHS_MOST = 2 };

// One that comes back from workers that were preempted or stopped has had no attempt; but
// where every job of a batch system ends before its measurement does, that is an end.
enum { RETURNS_MOST = 20 };

// Once so many were seen, a stage may take a multiple of the slowest, within bounds.
// Builds differ less than launches: a slow configuration runs tens of times as long as a
// good one.
enum { SEEN_ENOUGH = 3 };
static const double build_least_s = 60, build_factor = 20;
static const double launch_least_s = 2, launch_factor = 50;

static double within(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static double build_deadline(const struct hone_pool *pool)
{
    if (pool->seen < SEEN_ENOUGH) return pool->deadlines.build_most;
    return within(build_factor * pool->slowest_build_s, build_least_s,
                  pool->deadlines.build_most);
}

double hone_pool_launch_deadline(const struct hone_pool *pool)
{
    if (pool->seen < SEEN_ENOUGH) return pool->deadlines.launch_most;
    return within(launch_factor * pool->slowest_measure_s, launch_least_s,
                  pool->deadlines.launch_most);
}

// --- who has which ---

static size_t load_of(const struct hone_pool *pool, const struct hone_member *member)
{
    size_t load = 0;
    for (size_t i = 0; i < pool->job_count; i++)
        load += pool->jobs[i].member == member && !pool->jobs[i].done;
    return load;
}

// What the member works on: of the jobs that it has, the one that it was sent first. Jobs
// of another one that ended may be older, and come to it later.
static struct hone_pool_job *front(const struct hone_pool *pool,
                                   const struct hone_member *member)
{
    struct hone_pool_job *first = NULL;
    for (size_t i = 0; i < pool->job_count; i++) {
        struct hone_pool_job *job = &pool->jobs[i];
        if (job->member != member || job->done || !job->sent) continue;
        if (!first || job->sent < first->sent) first = job;
    }
    return first;
}

static struct hone_member *least_loaded(const struct hone_pool *pool)
{
    struct hone_member *best = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        const size_t load = load_of(pool, member);
        if (!hone_member_works(member) || load >= member->ready.capacity || load >= least)
            continue;
        best = member;
        least = load;
    }
    return best;
}

static bool is_away(const struct hone_member *member)
{
    return member->phase == HONE_MEMBER_GONE || hone_member_is_queued(member);
}

// Jobs of a member that was given up, or waits in a queue, are anyone's again.
static void assign(struct hone_pool *pool)
{
    for (size_t i = 0; i < pool->job_count; i++) {
        struct hone_pool_job *job = &pool->jobs[i];
        if (job->done) continue;
        if (job->member && is_away(job->member)) job->member = NULL;
        if (!job->member) job->member = least_loaded(pool);
    }
}

// A suspect is with a worker alone.
static void send_jobs(struct hone_pool *pool, struct hone_member *member)
{
    size_t sent = 0;
    bool suspect = false;
    for (size_t i = 0; i < pool->job_count; i++) {
        struct hone_pool_job *job = &pool->jobs[i];
        if (job->member != member || job->done) continue;
        if (!job->sent) {
            if (sent && (suspect || job->suspect)) return;
            // One that does not read has ended or hangs, which shows elsewhere.
            if (hone_member_send_bytes(member, job->frame.data, job->frame.len, NULL) !=
                HONE_OK)
                return;
            job->sent = ++pool->last_sent;
        }
        sent++;
        suspect |= job->suspect;
    }
}

static bool has_task(const struct hone_pool *pool, const struct hone_member *member)
{
    return pool->task && pool->task->member == member && !pool->task->done;
}

void hone_pool_next(struct hone_pool *pool, struct hone_member *member)
{
    if (has_task(pool, member)) return;
    const struct hone_pool_job *job = front(pool, member);
    if (job)
        hone_member_enter(member, HONE_MEMBER_BUILDING, build_deadline(pool));
    else
        hone_member_enter(member, HONE_MEMBER_IDLE, INFINITY);
}

// Its configurations are built first, each by a thread. Jobs may be built meanwhile.
static void send_task(struct hone_pool *pool, struct hone_member *member)
{
    struct hone_pool_task *task = pool->task;
    const bool is_free =
        member->phase == HONE_MEMBER_IDLE || member->phase == HONE_MEMBER_BUILDING;
    if (task->done || task->member || !is_free) return;
    if (hone_member_send_bytes(member, task->frame.data, task->frame.len, NULL) !=
        HONE_OK)
        return;
    task->member = member;
    hone_member_enter(member, task->phase, build_deadline(pool) + task->allowed_s);
}

void hone_pool_dispatch(struct hone_pool *pool)
{
    assign(pool);
    for (size_t i = 0; pool->task && i < pool->count; i++)
        send_task(pool, &pool->members[i]);
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        if (!hone_member_works(member)) continue;
        send_jobs(pool, member);
        if (member->phase == HONE_MEMBER_IDLE) hone_pool_next(pool, member);
    }
}

// --- what a member says ---

static enum hone_status out_of_turn(uint64_t id, struct hone_error *err)
{
    return hone_fail(err, HONE_EINPUT, "it spoke of job %llu out of turn",
                     (unsigned long long)id);
}

enum hone_status hone_pool_built(struct hone_pool *pool, struct hone_member *member,
                                 uint64_t id, struct hone_error *err)
{
    struct hone_pool_job *job = front(pool, member);
    if (!job || job->id != id) return out_of_turn(id, err);
    if (has_task(pool, member)) {
        member->built = id;
        return HONE_OK;
    }
    pool->slowest_build_s =
        fmax(pool->slowest_build_s, hone_clock_seconds() - member->entered);
    enum hone_status status =
        hone_evaluator_begin(pool->evaluator, job->trial.index, &pool->fatal);
    if (status != HONE_OK) return status;
    const double deadline_s = hone_pool_launch_deadline(pool);
    const struct hone_message measure = {
        .type = HONE_MESSAGE_MEASURE, .id = id, .deadline_s = deadline_s};
    // The worker itself stops a launch at its deadline: this one is for a process that
    // does not answer at all.
    hone_member_enter(member, HONE_MEMBER_MEASURING,
                      (double)hone_plan_launches(&pool->plan) * deadline_s);
    return hone_member_send(member, &measure, err);
}

// The one copy of a name; NULL where there is no room for it.
static const char *intern(struct hone_pool *pool, const char *name)
{
    for (size_t i = 0; i < pool->metric_name_count; i++)
        if (strcmp(pool->metric_names[i], name) == 0) return pool->metric_names[i];
    if (!HONE_GROW_IN(&pool->arena, &pool->metric_names, &pool->metric_name_cap,
                      pool->metric_name_count + 1, 32))
        return NULL;
    const char *copy = hone_arena_strdup(&pool->arena, name);
    if (copy) pool->metric_names[pool->metric_name_count++] = copy;
    return copy;
}

static void keep_counters(struct hone_pool *pool, struct hone_counted *out,
                          const struct hone_counted *told)
{
    for (; told->name; told++) {
        *out = (struct hone_counted){intern(pool, told->name), intern(pool, told->unit),
                                     told->value};
        if (out->name && out->unit) out++;
    }
    *out = (struct hone_counted){0};
}

// Metrics and counters whose names find no room are left out.
static enum hone_status keep_trial(struct hone_pool *pool, struct hone_pool_job *job,
                                   const struct hone_trial *told, struct hone_error *err)
{
    struct hone_metric metrics[HONE_METRIC_MAX];
    struct hone_counted counters[HONE_COUNTED_MAX + 1];
    struct hone_trial trial = *told;
    keep_counters(pool, counters, told->counters);
    trial.counters = counters;
    trial.place = job->member->place;
    trial.index = job->trial.index;
    trial.metrics = metrics;
    trial.metric_count = 0;
    for (size_t i = 0; i < told->metric_count; i++) {
        const char *name = intern(pool, told->metrics[i].name);
        if (name)
            metrics[trial.metric_count++] =
                (struct hone_metric){name, told->metrics[i].value};
    }
    enum hone_status status = hone_evaluator_keep(pool->evaluator, &trial, err);
    if (status == HONE_OK) job->trial = trial;
    return status;
}

static void pool_jobs_finish(struct hone_pool *pool, struct hone_pool_job *job)
{
    const enum hone_outcome outcome = job->trial.outcome;
    const bool crash = outcome == HONE_CRASHED || outcome == HONE_TIMED_OUT;
    pool->crashes_in_a_row = crash ? pool->crashes_in_a_row + 1 : 0;
    job->done = true;
}

enum hone_status hone_pool_finished(struct hone_pool *pool, struct hone_member *member,
                                    const struct hone_message *message,
                                    struct hone_error *err)
{
    struct hone_pool_job *job = front(pool, member);
    if (!job || job->id != message->id) return out_of_turn(message->id, err);
    enum hone_status status = keep_trial(pool, job, &message->result.trial, &pool->fatal);
    if (status != HONE_OK) return status;
    if (member->phase == HONE_MEMBER_MEASURING) {
        pool->seen++;
        if (job->trial.outcome == HONE_VALID)
            pool->slowest_measure_s =
                fmax(pool->slowest_measure_s, job->trial.evaluate_ms / 1e3);
    }
    pool_jobs_finish(pool, job);
    if (message->result.last) // what else it has goes to the next worker
        member->phase = HONE_MEMBER_IDLE;
    else
        hone_pool_next(pool, member);
    return HONE_OK;
}

// The member then goes on where it was, unless these were its last words.
static enum hone_status finish_task(struct hone_pool *pool, struct hone_member *member,
                                    bool last, struct hone_error *err)
{
    const uint64_t built = member->built;
    pool->task->done = true;
    member->built = 0;
    hone_member_enter(member, HONE_MEMBER_IDLE, INFINITY);
    if (last) return HONE_OK;
    hone_pool_next(pool, member);
    return built ? hone_pool_built(pool, member, built, err) : HONE_OK;
}

enum hone_status hone_pool_contested(struct hone_pool *pool, struct hone_member *member,
                                     const struct hone_message *message,
                                     struct hone_error *err)
{
    struct hone_pool_task *task = pool->task;
    if (!task || task->member != member || message->samples.count != task->count)
        return hone_fail(err, HONE_EINPUT, "it spoke of another contest");
    for (size_t i = 0; i < task->count; i++)
        task->costs[i] = message->samples.values[i];
    return finish_task(pool, member, message->samples.last, err);
}

enum hone_status hone_pool_confirmed(struct hone_pool *pool, struct hone_member *member,
                                     const struct hone_message *message,
                                     struct hone_error *err)
{
    struct hone_pool_task *task = pool->task;
    if (!task || task->member != member || message->confirmed.count != task->count)
        return hone_fail(err, HONE_EINPUT, "it spoke of other results");
    for (size_t i = 0; i < task->count; i++)
        task->result->verdicts[i] = message->confirmed.verdicts[i];
    task->result->undecided = message->confirmed.undecided;
    task->result->spent_s = message->confirmed.spent_s;
    memcpy(task->result->no_reference, message->confirmed.no_reference,
           sizeof task->result->no_reference);
    return finish_task(pool, member, message->confirmed.last, err);
}

// --- when a member ends ---

// Without memory the trial says less.
static void give_reason(struct hone_pool *pool, struct hone_trial *trial,
                        const char *when, const char *how)
{
    char reason[HONE_REASON_MAX];
    struct hone_trial told = *trial;
    snprintf(reason, sizeof reason, "%s%.*s", when, HONE_REASON_MAX - 40, how);
    told.reason = reason;
    trial->reason =
        trial->outcome == HONE_TIMED_OUT ? "over the deadline" : "the worker ended";
    if (hone_evaluator_keep(pool->evaluator, &told, NULL) == HONE_OK) *trial = told;
}

// The configuration gets a verdict once it has used up its attempts; one that was late is
// not tried again.
static void blame(struct hone_pool *pool, struct hone_member *member,
                  struct hone_pool_job *job, enum hone_pool_loss loss, const char *how)
{
    static const struct hone_found timeout = {.finding = HONE_FINDING_TIMEOUT};
    static const struct hone_found crash = {.finding = HONE_FINDING_CRASH};
    const bool building = member->phase == HONE_MEMBER_BUILDING;
    const bool late = loss == HONE_LOSS_LATE;
    job->deaths++;
    if (!late && job->deaths < DEATHS_MOST) return;
    job->trial.place = member->place;
    job->trial.outcome = late ? HONE_TIMED_OUT : HONE_CRASHED;
    if (!building) job->trial.found = late ? &timeout : &crash;
    give_reason(pool, &job->trial,
                late       ? ""
                : building ? "building it, the worker "
                           : "measuring it, the worker ",
                how);
    pool_jobs_finish(pool, job);
}

// Any of those that it had may have ended it.
static void suspect_all(struct hone_pool *pool, const struct hone_member *member)
{
    for (size_t i = 0; i < pool->job_count; i++) {
        struct hone_pool_job *job = &pool->jobs[i];
        job->suspect |= job->member == member && !job->done && job->sent;
    }
}

// What it was at when it ended costs the configuration an attempt, unless it is innocent.
static void charge(struct hone_pool *pool, struct hone_member *member,
                   enum hone_pool_loss loss, const char *how)
{
    struct hone_pool_job *job = front(pool, member);
    const bool works =
        member->phase == HONE_MEMBER_BUILDING || member->phase == HONE_MEMBER_MEASURING;
    if (!job || !works) return;
    if (loss == HONE_LOSS_INNOCENT && job->returns++ < RETURNS_MOST) return;
    if (loss != HONE_LOSS_LATE) suspect_all(pool, member);
    blame(pool, member, job, loss, how);
}

void hone_pool_member_lost(struct hone_pool *pool, struct hone_member *member,
                           enum hone_pool_loss loss, const char *how)
{
    struct hone_pool_task *task = pool->task;
    member->built = 0;
    charge(pool, member, loss, how);
    for (size_t i = 0; i < pool->job_count; i++)
        if (pool->jobs[i].member == member) pool->jobs[i].sent = 0;
    if (!task || task->member != member || task->done) return;
    task->member = NULL;
    if (loss != HONE_LOSS_INNOCENT || task->returns++ >= RETURNS_MOST) task->deaths++;
}
