// The members of a pool: starting them, hearing them, and watching the time.
#include "pool_internal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/quantity.h"
#include "pool/gpu_lock.h"

// People are told so soon that a worker has not begun, and each time it took twice as
// long.
static const double first_tell_s = 5;

bool hone_pool_has_others(const struct hone_pool *pool, const struct hone_member *member)
{
    for (size_t i = 0; i < pool->count; i++)
        if (&pool->members[i] != member && pool->members[i].phase != HONE_MEMBER_GONE)
            return true;
    return false;
}

// --- hearing ---

static enum hone_status check_hello(const struct hone_member *member,
                                    const struct hone_hello *hello,
                                    struct hone_error *err)
{
    if (strcmp(hello->version, hone_message_version) != 0)
        return hone_fail(err, HONE_EINPUT,
                         "worker '%s' is hone %s, this is %s: use one build for both",
                         member->name, hello->version, hone_message_version);
    if (member->local && member->known && strcmp(hello->uuid, member->hello.uuid) != 0)
        return hone_fail(err, HONE_EDEVICE, "worker '%s' came back on another GPU (%s)",
                         member->name, hello->uuid);
    return HONE_OK;
}

enum hone_status hone_pool_send_setup(struct hone_pool *pool, struct hone_member *member,
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

// Where the member is, as its trials will say. The host of a worker of this machine is
// nothing that others should read of; which of several GPUs it was is worth a word.
static enum hone_status keep_place(struct hone_pool *pool, struct hone_member *member,
                                   struct hone_error *err)
{
    const struct hone_hello *hello = &member->hello;
    struct hone_trial_place place = {{0}, {0}, {0}};
    if (!member->local) {
        memcpy(place.host, hello->host, sizeof place.host);
        memcpy(place.job, hello->job, sizeof place.job);
    }
    if (!member->local || pool->count > 1)
        memcpy(place.gpu_uuid, hello->uuid, sizeof place.gpu_uuid);
    if (memcmp(&place, member->place, sizeof place) == 0) return HONE_OK;
    const struct hone_trial_place *kept =
        hone_arena_dup(&pool->arena, &place, sizeof place);
    if (!kept) return hone_no_memory(err, "for the place of a worker");
    member->place = kept;
    return HONE_OK;
}

// One that comes to a run that has begun does not end it by being of another kind, nor
// does one elsewhere by being of another version while others are there.
static enum hone_status meet(struct hone_pool *pool, struct hone_member *member,
                             const struct hone_hello *hello, struct hone_error *err)
{
    struct hone_error why = {0};
    enum hone_status status = check_hello(member, hello, &why);
    const bool joins = pool->gathered && !member->local;
    // A command that is started again may reach another machine.
    if (status == HONE_OK && (!member->known || !member->local)) member->hello = *hello;
    member->known |= status == HONE_OK;
    if (status == HONE_OK) status = keep_place(pool, member, &why);
    if (status == HONE_OK && joins) status = hone_pool_check_alike(pool, member, &why);
    const bool may_leave =
        pool->gathered || (!member->local && hone_pool_has_others(pool, member));
    if (status != HONE_OK && status != HONE_ENOMEM && may_leave) {
        hone_pool_refuse(pool, member, &why);
        return HONE_OK;
    }
    if (status != HONE_OK) return hone_error_pass(&pool->fatal, status, &why);
    hone_member_enter(member, HONE_MEMBER_KNOWN, INFINITY);
    return pool->evaluator ? hone_pool_send_setup(pool, member, err) : HONE_OK;
}

// Room for the jobs that it wants at once; another start of it may want others.
static enum hone_status make_room(struct hone_pool *pool, struct hone_member *member)
{
    const size_t wanted = pool->capacity + member->ready.capacity - member->counted;
    if (member->ready.capacity <= member->counted) return HONE_OK;
    struct hone_pool_job *jobs = realloc(pool->jobs, wanted * sizeof *jobs);
    if (!jobs) return hone_no_memory(&pool->fatal, "for %zu jobs", wanted);
    pool->jobs = jobs;
    pool->capacity = wanted;
    member->counted = member->ready.capacity;
    return HONE_OK;
}

static enum hone_status become_ready(struct hone_pool *pool, struct hone_member *member,
                                     const struct hone_ready *ready)
{
    member->ready = *ready;
    if (!pool->ready.capacity) pool->ready = *ready;
    enum hone_status status = make_room(pool, member);
    if (status != HONE_OK) return status;
    member->failed_starts = 0;
    member->waits_since = 0;
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
    return HONE_OK;
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
        member->innocent = message->failed.status == HONE_ECANCELLED;
        const bool is_wrong = message->failed.reference_wrong;
        pool->reference_wrong |= is_wrong;
        if ((is_wrong || is_script_error(&member->failure)) && !pool->fatal.text[0])
            pool->fatal = member->failure;
        return hone_fail(err, HONE_EIO, "it failed"); // and is about to end
    }
    if (message->type == HONE_MESSAGE_HELLO && phase == HONE_MEMBER_STARTING)
        return meet(pool, member, &message->hello, err);
    if (message->type == HONE_MESSAGE_READY && phase == HONE_MEMBER_SETTING_UP)
        return become_ready(pool, member, &message->ready);
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

// Until its first byte it may be in a queue; from there on it starts.
static void notice_first_byte(struct hone_pool *pool, struct hone_member *member)
{
    const char *data;
    if (member->stirred || !hone_subprocess_peek(member->program, &data)) return;
    member->stirred = true;
    hone_member_enter(member, HONE_MEMBER_STARTING, pool->deadlines.start);
}

// EIO and EINPUT end the member, anything else the run; so does a command that is no
// worker, unless others are there.
static bool is_its_own_end(const struct hone_pool *pool, const struct hone_member *member,
                           enum hone_status status)
{
    if (status != HONE_EINPUT) return status == HONE_EIO;
    return member->known || (!member->local && hone_pool_has_others(pool, member));
}

// What a member has said, to the end or to its first trial, which is on record before
// anything further begins.
static enum hone_status hear_some(struct hone_pool *pool, struct hone_member *member,
                                  bool *trial, struct hone_error *err)
{
    while (member->program) {
        struct hone_message message;
        struct hone_error why = {0};
        bool got = false;
        notice_first_byte(pool, member);
        enum hone_status status = hone_member_receive(member, &message, &got, &why);
        if (status == HONE_OK && !got) return HONE_OK;
        if (status == HONE_OK) {
            status = hear(pool, member, &message, &why);
            const bool finished = status == HONE_OK && is_result(&message);
            const bool last = finished && is_last(&message);
            hone_message_fini(&message);
            *trial |= finished;
            if (last)
                hone_pool_end_member(pool, member, "its device is of no more use",
                                     HONE_LOSS_OWN);
            if (finished) return HONE_OK;
        }
        if (status == HONE_OK) continue;
        if (pool->fatal.text[0])
            return hone_error_pass(err, pool->fatal.code, &pool->fatal);
        if (is_its_own_end(pool, member, status)) {
            char how[sizeof why.text + 32];
            snprintf(how, sizeof how, "answered nonsense: %s", why.text);
            hone_pool_end_member(pool, member, status == HONE_EIO ? NULL : how,
                                 HONE_LOSS_OWN);
            return HONE_OK;
        }
        return hone_fail(err, status, "worker '%s': %s", member->name, why.text);
    }
    return HONE_OK;
}

// --- time ---

// Whoever has said who it is says each second that it lives.
static bool is_watched(const struct hone_member *member)
{
    return member->spoke && member->phase > HONE_MEMBER_STARTING &&
           member->phase < HONE_MEMBER_GONE;
}

// When something is due of a member or of who leaves.
static double pool_next_due(const struct hone_pool *pool)
{
    double when = hone_pool_leavers_due(pool);
    for (size_t i = 0; i < pool->count; i++) {
        const struct hone_member *member = &pool->members[i];
        if (member->phase == HONE_MEMBER_OFF) when = fmin(when, member->restart_at);
        if (!member->program) continue;
        when = fmin(when, member->deadline);
        if (member->waits_since > 0) when = fmin(when, member->tell_at);
        if (is_watched(member))
            when = fmin(when, member->heard + pool->deadlines.silence);
    }
    return when;
}

static void check_deadlines(struct hone_pool *pool, struct hone_member *member)
{
    static const char *const doing[] = {
        [HONE_MEMBER_STARTING] = "starting",
        [HONE_MEMBER_KNOWN] = "waiting for others",
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
        hone_pool_end_member(pool, member, why, HONE_LOSS_LATE);
    } else if (is_watched(member) && now >= member->heard + pool->deadlines.silence) {
        snprintf(why, sizeof why, "no sign of life for %s s",
                 hone_plain(pool->deadlines.silence, 3).text);
        hone_pool_end_member(pool, member, why, HONE_LOSS_OWN);
    }
}

static void tell_of_waiting(struct hone_member *member)
{
    const double now = hone_clock_seconds(), waited = now - member->waits_since;
    if (!hone_member_is_queued(member) || !(member->waits_since > 0)) return;
    if (now < member->tell_at) return;
    hone_log(HONE_LOG_INFO,
             "%s: waiting for its worker to begin, for %s s now (in a queue?)",
             member->name, hone_plain(waited, 2).text);
    member->tell_at = now + waited;
}

static void start_due(struct hone_pool *pool)
{
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        struct hone_error why = {0};
        const double now = hone_clock_seconds();
        if (member->phase != HONE_MEMBER_OFF || member->restart_at > now) continue;
        if (!(member->waits_since > 0)) {
            member->waits_since = now;
            member->tell_at = now + first_tell_s;
        }
        hone_member_enter(member, HONE_MEMBER_STARTING,
                          member->local ? pool->deadlines.start : pool->deadlines.queue);
        if (hone_member_start(member, &why) != HONE_OK)
            hone_pool_start_failed(pool, member, &why);
    }
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
    const double when = pool_next_due(pool);
    if (!pool->gathered) return fmin(when, hone_clock_seconds() + 0.1);
    return pool->cancel ? fmin(when, hone_clock_seconds() + 0.1) : when;
}

bool hone_pool_is_deserted(const struct hone_pool *pool)
{
    bool waits = false;
    for (size_t i = 0; i < pool->count; i++) {
        const struct hone_member *member = &pool->members[i];
        if (member->phase == HONE_MEMBER_GONE) continue;
        if (member->local) return false;
        if (member->program && !hone_member_is_queued(member)) return false;
        waits = true;
    }
    return waits;
}

static void await_words(struct hone_pool *pool)
{
    const bool absent = pool->gathered && hone_pool_is_deserted(pool);
    const double from = hone_clock_seconds();
    for (size_t i = 0; i < pool->count; i++)
        pool->programs[i] = pool->members[i].program;
    hone_pool_see_off(pool);
    hone_subprocess_poll(pool->programs, pool->count, next_look(pool));
    if (absent) pool->counts.absent_s += hone_clock_seconds() - from;
}

enum hone_status hone_pool_step(struct hone_pool *pool, struct hone_error *err)
{
    if (pool->cancel && *pool->cancel)
        return hone_fail(err, HONE_ECANCELLED, "cancelled while workers are at work");
    start_due(pool);
    if (!hone_pool_has_others(pool, NULL))
        return hone_error_pass(err, pool->broken.code, &pool->broken);
    bool trial = false;
    enum hone_status status = hear_everyone(pool, &trial, err);
    if (status != HONE_OK || trial) return status;
    await_words(pool);
    status = hear_everyone(pool, &trial, err);
    for (size_t i = 0; i < pool->count; i++) {
        check_deadlines(pool, &pool->members[i]);
        tell_of_waiting(&pool->members[i]);
    }
    return status;
}
