// Ends of members: what they mean for the next start, and how a process is seen off. One
// of this machine is killed at once; a command that reaches elsewhere has something there
// to end, so it is given time: its input ends, then SIGTERM, then SIGKILL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/log.h"
#include "pool_internal.h"

// A device that does not come back within these starts is taken as lost. The pauses
// between them double from 0.1 s: 3.1 s in all, and what the starts themselves take.
enum { START_LIMIT = 6 };
static const double first_pause_s = 0.1;

// Where it was ended while it started there will be a reason to wait.
static const double innocent_pause_s = 1;

// A crash, however hard, costs one configuration; so many in a row are not its fault.
enum { CRASH_LIMIT = 50 };

// How long a worker that said it ends, or closed its output, may take for that.
static const double parting_s = 0.5;

// A worker hears the end of its input even in a launch, and ends within a second; srun
// and ssh end with it. srun takes up to 5 s for its job after SIGTERM.
static const struct hone_patience usual_patience = {.close_s = 3, .term_s = 8};
static const struct hone_patience idle_patience = {.close_s = 8, .term_s = 8};
// Nobody is there yet who would hear that.
static const struct hone_patience queued_patience = {.close_s = 0, .term_s = 8};

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

// --- what an end means ---

static void pool_give_up(struct hone_pool *pool, struct hone_member *member,
                         const char *how)
{
    member->phase = HONE_MEMBER_GONE;
    pool->broken = (struct hone_error){0};
    hone_fail(&pool->broken, HONE_EDEVICE, "%s is lost: its worker %s", member->name,
              how);
    hone_log(HONE_LOG_ERROR, "%s", pool->broken.text);
}

// One of this machine that cannot start fails the opening, and so does the last one that
// is left. A command that reaches elsewhere is tried again while others are there or may
// come.
static bool must_start(const struct hone_pool *pool, const struct hone_member *member)
{
    return !pool->gathered && (member->local || !hone_pool_has_others(pool, member));
}

// With its own words for it.
static void fail_first_start(struct hone_pool *pool, struct hone_member *member,
                             const char *how)
{
    const struct hone_error *own = &member->failure;
    member->phase = HONE_MEMBER_GONE;
    pool->broken = (struct hone_error){0};
    if (own->text[0])
        hone_error_pass(&pool->broken, own->code, own);
    else
        hone_fail(&pool->broken, HONE_EDEVICE, "worker '%s' %s before it was ready",
                  member->name, how);
}

static void plan_restart(struct hone_pool *pool, struct hone_member *member,
                         bool was_starting, const char *how)
{
    char text[600];
    if (member->phase == HONE_MEMBER_GONE) {
        pool_give_up(pool, member, how);
        return;
    }
    if (was_starting && must_start(pool, member)) {
        fail_first_start(pool, member, how);
        return;
    }
    member->failed_starts += was_starting;
    if (pool->crashes_in_a_row >= CRASH_LIMIT) {
        snprintf(text, sizeof text, "ended over each of the last %d configurations: %s",
                 CRASH_LIMIT, how);
        pool_give_up(pool, member, text);
        return;
    }
    if (member->failed_starts >= START_LIMIT) {
        snprintf(text, sizeof text, "did not start %d times: %s", START_LIMIT, how);
        pool_give_up(pool, member, text);
        return;
    }
    double pause_s = member->failed_starts
                         ? first_pause_s * (double)(1u << (member->failed_starts - 1))
                         : 0;
    member->restart_at = hone_clock_seconds() + pause_s;
}

void hone_pool_start_failed(struct hone_pool *pool, struct hone_member *member,
                            const struct hone_error *why)
{
    member->phase = HONE_MEMBER_OFF;
    member->failure = *why;
    plan_restart(pool, member, true, why->text);
}

// --- seeing off ---

static struct hone_patience patience_with(const struct hone_member *member)
{
    const bool busy = member->phase > HONE_MEMBER_IDLE;
    if (member->local)
        return (struct hone_patience){.close_s = busy ? 0 : parting_s, .term_s = 0};
    if (!member->spoke) return queued_patience;
    return busy ? usual_patience : idle_patience;
}

// Without memory for it, it is killed at once.
static void keep_leaver(struct hone_pool *pool, struct hone_subprocess *program,
                        const char *name)
{
    if (!HONE_GROW(&pool->leavers, &pool->leaver_room, pool->leaver_count + 1, 8)) {
        hone_subprocess_free(program);
        return;
    }
    struct hone_pool_leaver *leaver = &pool->leavers[pool->leaver_count++];
    leaver->program = program;
    snprintf(leaver->name, sizeof leaver->name, "%s", name);
}

void hone_pool_see_off(struct hone_pool *pool)
{
    size_t kept = 0;
    for (size_t i = 0; i < pool->leaver_count; i++) {
        struct hone_pool_leaver leaver = pool->leavers[i];
        struct hone_exit how;
        if (!hone_subprocess_has_left(leaver.program, &how)) {
            pool->leavers[kept++] = leaver;
            continue;
        }
        if (how.stuck)
            hone_log(HONE_LOG_WARNING, "%s: its command does not end", leaver.name);
        hone_subprocess_free(leaver.program);
    }
    pool->leaver_count = kept;
}

double hone_pool_leavers_due(const struct hone_pool *pool)
{
    double due = INFINITY;
    for (size_t i = 0; i < pool->leaver_count; i++)
        due = fmin(due, hone_subprocess_step_due(pool->leavers[i].program));
    return due;
}

// Whether it has ended within seconds; else it leaves by and by.
static bool part_with(struct hone_pool *pool, struct hone_member *member,
                      struct hone_patience patience, double seconds,
                      struct hone_exit *ended)
{
    const double until = hone_clock_seconds() + seconds;
    struct hone_subprocess *program = hone_member_take(member);
    hone_subprocess_leave(program, patience);
    bool has_left;
    while (!(has_left = hone_subprocess_has_left(program, ended)) &&
           hone_clock_seconds() < until)
        nap();
    if (has_left)
        hone_subprocess_free(program);
    else
        keep_leaver(pool, program, member->name);
    return has_left;
}

// By SIGTERM batch systems end a job. srun ends with 0 where a node is gone, which no
// worker does that has work.
static bool is_innocent(const struct hone_member *member, const struct hone_exit *how)
{
    enum { TERM = 15, SHELL_SIGNAL = 128 };
    if (!member->spoke || how->stuck) return false;
    if (member->innocent) return true;
    if (how->signalled) return how->code == TERM;
    return !member->local && (how->code == SHELL_SIGNAL + TERM || how->code == 0);
}

void hone_pool_end_member(struct hone_pool *pool, struct hone_member *member,
                          const char *why, enum hone_pool_loss loss)
{
    char how[512], text[600];
    const bool was_starting = !hone_member_works(member), local = member->local;
    const enum hone_member_phase phase = member->phase;
    const double now_s = why ? 0 : parting_s;
    struct hone_patience patience = patience_with(member);
    if (local) patience.close_s = now_s;
    struct hone_exit ended = {0};
    // One here is gone before another one gets its GPU.
    const bool has_left =
        part_with(pool, member, patience, local ? (double)INFINITY : now_s, &ended);
    hone_member_describe_end(member, has_left ? &ended : NULL, how, sizeof how);
    const bool innocent = !why && has_left && is_innocent(member, &ended);
    if (innocent) loss = HONE_LOSS_INNOCENT;
    snprintf(text, sizeof text, "%s", why ? why : how);
    if (!local && !must_start(pool, member))
        hone_log(HONE_LOG_INFO, "%s: its worker %s", member->name, text);
    member->phase = phase;
    hone_pool_member_lost(pool, member, loss, text);
    member->phase = ended.stuck ? HONE_MEMBER_GONE : HONE_MEMBER_OFF;
    plan_restart(pool, member, was_starting && !innocent, ended.stuck ? how : text);
    if (innocent && was_starting)
        member->restart_at = hone_clock_seconds() + innocent_pause_s;
}

void hone_pool_refuse(struct hone_pool *pool, struct hone_member *member,
                      const struct hone_error *why)
{
    struct hone_exit ended;
    part_with(pool, member, usual_patience, 0, &ended);
    member->phase = HONE_MEMBER_GONE;
    pool->broken = *why;
    hone_log(HONE_LOG_ERROR, "%s", why->text);
}

// --- the pool's own end ---

// Those that wait for work end in order; who measures for nobody is ended at once.
static void end_all(struct hone_pool *pool)
{
    const struct hone_message bye = {.type = HONE_MESSAGE_SHUTDOWN};
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        struct hone_exit ended;
        if (!member->program) continue;
        const bool talks =
            member->phase > HONE_MEMBER_STARTING && member->phase <= HONE_MEMBER_IDLE;
        if (talks) hone_member_send(member, &bye, NULL);
        part_with(pool, member, patience_with(member), 0, &ended);
    }
    hone_pool_see_off(pool);
    while (pool->leaver_count) {
        nap();
        hone_pool_see_off(pool);
    }
}

void hone_pool_end_workers(struct hone_pool *pool)
{
    hone_pool_pulse_stop(pool);
    end_all(pool);
    pool->broken = (struct hone_error){0};
    hone_fail(&pool->broken, HONE_EUSAGE, "the workers of this pool were ended");
    for (size_t i = 0; i < pool->count; i++)
        pool->members[i].phase = HONE_MEMBER_GONE;
}

void hone_pool_close(struct hone_pool *pool)
{
    if (!pool) return;
    hone_pool_end_workers(pool);
    for (size_t i = 0; i < pool->count; i++)
        hone_member_fini(&pool->members[i]);
    hone_arena_fini(&pool->arena);
    pthread_mutex_destroy(&pool->writing);
    free(pool->leavers);
    free(pool->members);
    free(pool->programs);
    free(pool);
}
