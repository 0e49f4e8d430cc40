// The members of a pool: starting them, hearing them, ending and restarting them.
#include "pool_internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/quantity.h"
#include "hone/version.h"
#include "pool/gpu_lock.h"

// A device that does not come back within these starts is taken as lost. The pauses
// between them double from 0.1 s: 3.1 s in all, and what the starts themselves take.
enum { START_LIMIT = 6 };
static const double first_pause_s = 0.1;

// A crash, however hard, costs one configuration; so many in a row are not its fault.
enum { CRASH_LIMIT = 50 };

// How long a worker that said it ends, or closed its output, may take for that.
static const double parting_s = 0.5;

static const struct hone_pool_deadlines default_deadlines = {
    .start = 120, .build_most = 600, .launch_most = 30, .silence = 30};

enum hone_status hone_pool_fail(const struct hone_error *why, struct hone_error *err)
{
    return hone_fail_at(err, why->code, why->source[0] ? why->source : NULL, why->line,
                        "%s", why->text);
}

// --- ends ---

static void pool_give_up(struct hone_pool *pool, struct hone_member *member,
                         const char *how)
{
    member->phase = HONE_MEMBER_GONE;
    pool->broken = (struct hone_error){0};
    hone_fail(&pool->broken, HONE_EDEVICE, "%s is lost: its worker %s", member->name,
              how);
    hone_log(HONE_LOG_ERROR, "%s", pool->broken.text);
}

// A worker that never said hello fails the opening, with its own words for it.
static void fail_first_start(struct hone_pool *pool, struct hone_member *member,
                             const char *how)
{
    const struct hone_error *own = &member->failure;
    member->phase = HONE_MEMBER_GONE;
    pool->broken = (struct hone_error){0};
    if (own->text[0])
        hone_pool_fail(own, &pool->broken);
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
    if (was_starting && !member->ready.capacity) {
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

// End the member's process and settle what that means. why: NULL when it ended by itself.
static void pool_end_member(struct hone_pool *pool, struct hone_member *member,
                            const char *why, bool late)
{
    char how[512], text[600];
    const bool was_starting = !hone_member_works(member);
    const enum hone_member_phase phase = member->phase;
    hone_member_end(member, why ? 0 : parting_s, how, sizeof how);
    snprintf(text, sizeof text, "%s", why ? why : how);
    const bool stuck = member->phase == HONE_MEMBER_GONE;
    member->phase = phase;
    hone_pool_member_lost(pool, member, late, text);
    member->phase = stuck ? HONE_MEMBER_GONE : HONE_MEMBER_OFF;
    plan_restart(pool, member, was_starting, stuck ? how : text);
}

// --- hearing ---

static enum hone_status check_hello(const struct hone_member *member,
                                    const struct hone_hello *hello,
                                    struct hone_error *err)
{
    if (strcmp(hello->version, HONE_VERSION) != 0)
        return hone_fail(err, HONE_EINPUT, "worker '%s' is hone %s, this is %s",
                         member->name, hello->version, HONE_VERSION);
    if (member->known && strcmp(hello->uuid, member->hello.uuid) != 0)
        return hone_fail(err, HONE_EDEVICE, "worker '%s' came back on another GPU (%s)",
                         member->name, hello->uuid);
    return HONE_OK;
}

static enum hone_status send_setup(struct hone_pool *pool, struct hone_member *member,
                                   struct hone_error *err)
{
    const struct hone_message setup = {
        .type = HONE_MESSAGE_SETUP,
        .setup = {.lock = !member->local && !pool->unlocked,
                  .wait = !pool->no_wait,
                  .plan = &pool->plan}};
    hone_member_enter(member, HONE_MEMBER_SETTING_UP, pool->deadlines.start);
    return hone_member_send(member, &setup, err);
}

static enum hone_status meet(struct hone_pool *pool, struct hone_member *member,
                             const struct hone_hello *hello, struct hone_error *err)
{
    enum hone_status status = check_hello(member, hello, err);
    if (status != HONE_OK) return status;
    if (!member->known) member->hello = *hello;
    member->known = true;
    hone_member_enter(member, HONE_MEMBER_KNOWN, INFINITY);
    return pool->evaluator ? send_setup(pool, member, err) : HONE_OK;
}

static void become_ready(struct hone_pool *pool, struct hone_member *member,
                         const struct hone_ready *ready)
{
    member->ready = *ready;
    member->failed_starts = 0;
    if (member->off_since > 0) {
        const double took_s = hone_clock_seconds() - member->off_since;
        pool->counts.respawns++;
        pool->counts.respawn_s += took_s;
        pool->counts.slowest_respawn_s = fmax(pool->counts.slowest_respawn_s, took_s);
        hone_log(HONE_LOG_DEBUG, "%s: a new worker after %.0f ms", member->name,
                 took_s * 1e3);
    }
    member->phase = HONE_MEMBER_IDLE;
    hone_pool_next(pool, member);
}

// Another worker would say the same of it.
static bool is_script_error(const struct hone_error *error)
{
    return error->code == HONE_EINPUT && error->source[0] && error->line > 0;
}

static enum hone_status hear(struct hone_pool *pool, struct hone_member *member,
                             const struct hone_message *message, struct hone_error *err)
{
    const enum hone_member_phase phase = member->phase;
    if (message->type == HONE_MESSAGE_FAILED) {
        member->failure = message->failed.error;
        const bool is_wrong = message->failed.reference_wrong;
        pool->reference_wrong |= is_wrong;
        if ((is_wrong || is_script_error(&member->failure)) && !pool->fatal.text[0])
            pool->fatal = member->failure;
        return hone_fail(err, HONE_EIO, "it failed"); // and is about to end
    }
    if (message->type == HONE_MESSAGE_HELLO && phase == HONE_MEMBER_STARTING)
        return meet(pool, member, &message->hello, err);
    if (message->type == HONE_MESSAGE_READY && phase == HONE_MEMBER_SETTING_UP) {
        become_ready(pool, member, &message->ready);
        return HONE_OK;
    }
    const bool builds = phase == HONE_MEMBER_BUILDING || phase == HONE_MEMBER_CONTEST;
    if (message->type == HONE_MESSAGE_BUILT && builds)
        return hone_pool_built(pool, member, message->id, err);
    if (message->type == HONE_MESSAGE_TRIAL && (builds || phase == HONE_MEMBER_MEASURING))
        return hone_pool_finished(pool, member, message, err);
    if (message->type == HONE_MESSAGE_SAMPLES && phase == HONE_MEMBER_CONTEST)
        return hone_pool_contested(pool, member, message, err);
    if (message->type == HONE_MESSAGE_CONFIRMED && phase == HONE_MEMBER_CONFIRM)
        return hone_pool_confirmed(pool, member, message, err);
    return hone_fail(err, HONE_EINPUT, "it said '%s' out of turn",
                     hone_message_name(message->type));
}

static bool is_result(const struct hone_message *message)
{
    return message->type == HONE_MESSAGE_TRIAL || message->type == HONE_MESSAGE_SAMPLES ||
           message->type == HONE_MESSAGE_CONFIRMED;
}

// The device of who brings this result is of no more use.
static bool is_last(const struct hone_message *message)
{
    if (message->type == HONE_MESSAGE_SAMPLES) return message->samples.last;
    if (message->type == HONE_MESSAGE_CONFIRMED) return message->confirmed.last;
    return message->result.last;
}

// What a member has said, to the end or to its first trial, which is on record before
// anything further begins. EIO and EINPUT are its own end, anything else is the run's.
static enum hone_status hear_some(struct hone_pool *pool, struct hone_member *member,
                                  bool *trial, struct hone_error *err)
{
    for (;;) {
        struct hone_message message;
        struct hone_error why = {0};
        bool got = false;
        enum hone_status status = hone_member_receive(member, &message, &got, &why);
        if (status == HONE_OK && !got) return HONE_OK;
        if (status == HONE_OK) {
            status = hear(pool, member, &message, &why);
            const bool finished = status == HONE_OK && is_result(&message);
            const bool last = finished && is_last(&message);
            hone_message_fini(&message);
            *trial |= finished;
            if (last)
                pool_end_member(pool, member, "its device is of no more use", false);
            if (finished) return HONE_OK;
        }
        if (status == HONE_OK) continue;
        if (pool->fatal.text[0]) return hone_pool_fail(&pool->fatal, err);
        if (status == HONE_EIO || (status == HONE_EINPUT && member->known)) {
            char how[sizeof why.text + 32];
            snprintf(how, sizeof how, "answered nonsense: %s", why.text);
            pool_end_member(pool, member, status == HONE_EIO ? NULL : how, false);
            return HONE_OK;
        }
        return hone_fail(err, status, "worker '%s': %s", member->name, why.text);
    }
}

// --- time ---

static double earliest(const struct hone_pool *pool)
{
    double when = INFINITY;
    for (size_t i = 0; i < pool->count; i++) {
        const struct hone_member *member = &pool->members[i];
        if (member->phase == HONE_MEMBER_OFF) when = fmin(when, member->restart_at);
        if (!member->program) continue;
        when = fmin(when, member->deadline);
        if (hone_member_works(member))
            when = fmin(when, member->heard + pool->deadlines.silence);
    }
    return when;
}

static void check_deadlines(struct hone_pool *pool, struct hone_member *member)
{
    static const char *const doing[] = {
        [HONE_MEMBER_STARTING] = "starting",
        [HONE_MEMBER_SETTING_UP] = "computing the reference",
        [HONE_MEMBER_BUILDING] = "building",
        [HONE_MEMBER_MEASURING] = "measuring",
        [HONE_MEMBER_CONTEST] = "in the finals",
        [HONE_MEMBER_CONFIRM] = "comparing results at the tuned size",
    };
    const double now = hone_clock_seconds();
    char why[128];
    if (!member->program) return;
    if (now >= member->deadline) {
        snprintf(why, sizeof why, "still %s after %s s, the deadline",
                 doing[member->phase], hone_plain(member->allowed_s, 3).text);
        pool_end_member(pool, member, why, true);
    } else if (hone_member_works(member) &&
               now >= member->heard + pool->deadlines.silence) {
        snprintf(why, sizeof why, "no sign of life for %s s",
                 hone_plain(pool->deadlines.silence, 3).text);
        pool_end_member(pool, member, why, false);
    }
}

static void start_due(struct hone_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        struct hone_error why = {0};
        if (member->phase != HONE_MEMBER_OFF || member->restart_at > hone_clock_seconds())
            continue;
        hone_member_enter(member, HONE_MEMBER_STARTING, pool->deadlines.start);
        if (hone_member_start(member, &why) == HONE_OK) continue;
        member->phase = HONE_MEMBER_OFF;
        member->failure = why;
        plan_restart(pool, member, true, why.text);
    }
}

static bool any_left(const struct hone_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        if (pool->members[i].phase != HONE_MEMBER_GONE) return true;
    return false;
}

static enum hone_status hear_everyone(struct hone_pool *pool, bool *trial,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < pool->count; i++)
        if (pool->members[i].program)
            status = hear_some(pool, &pool->members[i], trial, err);
    return status;
}

// Until when to wait for words: with a look for a cancel ten times a second.
static double next_look(const struct hone_pool *pool)
{
    const double when = earliest(pool);
    return pool->cancel ? fmin(when, hone_clock_seconds() + 0.1) : when;
}

enum hone_status hone_pool_step(struct hone_pool *pool, struct hone_error *err)
{
    if (pool->cancel && *pool->cancel)
        return hone_fail(err, HONE_ECANCELLED, "cancelled while workers are at work");
    start_due(pool);
    if (!any_left(pool)) return hone_pool_fail(&pool->broken, err);
    bool trial = false;
    enum hone_status status = hear_everyone(pool, &trial, err);
    if (status != HONE_OK || trial) return status;
    for (size_t i = 0; i < pool->count; i++)
        pool->programs[i] = pool->members[i].program;
    hone_subprocess_poll(pool->programs, pool->count, next_look(pool));
    status = hear_everyone(pool, &trial, err);
    for (size_t i = 0; i < pool->count; i++)
        check_deadlines(pool, &pool->members[i]);
    return status;
}

// --- opening ---

static void choose_deadlines(struct hone_pool_deadlines *out,
                             const struct hone_pool_deadlines *wanted)
{
    *out = *wanted;
    if (!(out->start > 0)) out->start = default_deadlines.start;
    if (!(out->build_most > 0)) out->build_most = default_deadlines.build_most;
    if (!(out->launch_most > 0)) out->launch_most = default_deadlines.launch_most;
    if (!(out->silence > 0)) out->silence = default_deadlines.silence;
}

static enum hone_status make_members(struct hone_pool *pool,
                                     const struct hone_pool_options *options,
                                     struct hone_error *err)
{
    pool->members = calloc(options->count, sizeof *pool->members);
    pool->programs = calloc(options->count, sizeof(struct hone_subprocess *));
    if (!pool->members || !pool->programs)
        return hone_no_memory(err, "for %zu workers", options->count);
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < options->count; i++) {
        status = hone_member_init(&pool->members[i], &options->commands[i], err);
        pool->count += status == HONE_OK;
    }
    return status;
}

static enum hone_status wait_until(struct hone_pool *pool, enum hone_member_phase phase,
                                   struct hone_error *err)
{
    for (size_t i = 0; i < pool->count; i++)
        while (pool->members[i].phase < phase) {
            enum hone_status status = hone_pool_step(pool, err);
            if (status != HONE_OK) return status;
        }
    // One that cannot start at all is an error, however many others there are.
    for (size_t i = 0; i < pool->count; i++)
        if (pool->members[i].phase == HONE_MEMBER_GONE)
            return hone_pool_fail(&pool->broken, err);
    return HONE_OK;
}

static enum hone_status check_alike(const struct hone_pool *pool, struct hone_error *err)
{
    for (size_t i = 1; i < pool->count; i++) {
        const struct hone_hello *a = &pool->members[0].hello,
                                *b = &pool->members[i].hello;
        if (strcmp(a->limits.name, b->limits.name) != 0 || a->clock != b->clock)
            return hone_fail(err, HONE_EINPUT,
                             "one run measures on one kind of device: '%s' is %s by %s, "
                             "'%s' is %s by %s",
                             pool->members[0].name, a->limits.name,
                             hone_clock_name(a->clock), pool->members[i].name,
                             b->limits.name, hone_clock_name(b->clock));
        for (size_t k = 0; k < i && b->uuid[0]; k++)
            if (strcmp(pool->members[k].hello.uuid, b->uuid) == 0)
                return hone_fail(err, HONE_EUSAGE, "'%s' and '%s' are the same GPU",
                                 pool->members[k].name, pool->members[i].name);
    }
    return HONE_OK;
}

static enum hone_status lock_gpus(struct hone_pool *pool, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < pool->count; i++)
        if (pool->members[i].local && !pool->unlocked)
            status =
                hone_gpu_lock(&pool->members[i].gpu_lock, pool->members[i].hello.uuid,
                              !pool->no_wait, pool->cancel, err);
    return status;
}

enum hone_status hone_pool_open(struct hone_pool **out,
                                const struct hone_pool_options *options,
                                struct hone_error *err)
{
    *out = NULL;
    if (!options->count)
        return hone_fail(err, HONE_EUSAGE, "a pool needs a worker, none is named");
    struct hone_pool *pool = calloc(1, sizeof *pool);
    if (!pool) return hone_no_memory(err, "for a pool");
    pool->no_wait = options->no_wait;
    pool->unlocked = options->unlocked;
    pool->cancel = options->cancel;
    choose_deadlines(&pool->deadlines, &options->deadlines);
    enum hone_status status = make_members(pool, options, err);
    if (status == HONE_OK) status = wait_until(pool, HONE_MEMBER_KNOWN, err);
    if (status == HONE_OK) status = check_alike(pool, err);
    if (status == HONE_OK) status = lock_gpus(pool, err);
    if (status == HONE_OK)
        *out = pool;
    else
        hone_pool_close(pool);
    return status;
}

enum hone_status hone_pool_set_up(struct hone_pool *pool, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < pool->count; i++)
        status = send_setup(pool, &pool->members[i], err);
    return status == HONE_OK ? wait_until(pool, HONE_MEMBER_IDLE, err) : status;
}

// Those that wait for work end in order; who measures for nobody is ended at once.
void hone_pool_close(struct hone_pool *pool)
{
    if (!pool) return;
    const struct hone_message bye = {.type = HONE_MESSAGE_SHUTDOWN};
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        char how[256];
        if (!member->program) continue;
        const bool busy = member->phase > HONE_MEMBER_IDLE;
        if (!busy) hone_member_send(member, &bye, NULL);
        hone_member_end(member, busy ? 0 : parting_s, how, sizeof how);
    }
    for (size_t i = 0; i < pool->count; i++)
        hone_member_fini(&pool->members[i]);
    hone_arena_fini(&pool->arena);
    free(pool->members);
    free(pool->programs);
    free(pool);
}

struct hone_pool_facts hone_pool_facts(const struct hone_pool *pool)
{
    assert(pool && pool->count);
    const struct hone_hello *hello = &pool->members[0].hello;
    bool counts_energy = true;
    for (size_t i = 0; i < pool->count; i++)
        counts_energy = counts_energy && pool->members[i].hello.counts_energy;
    return (struct hone_pool_facts){.limits = &hello->limits,
                                    .device_id = hello->id,
                                    .driver = hello->driver,
                                    .clock = hello->clock,
                                    .counts_energy = counts_energy,
                                    .clock_note = pool->members[0].ready.clock_note};
}

struct hone_pool_counts hone_pool_counts(const struct hone_pool *pool)
{
    return pool->counts;
}
