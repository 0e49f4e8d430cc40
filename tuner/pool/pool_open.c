// Opening a pool: work begins with the first workers that are there. Those of this
// machine are waited for; a command that is silent may be in a queue for hours, and joins
// later.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "pool/gpu_lock.h"
#include "pool_internal.h"

static const struct hone_pool_deadlines default_deadlines = {
    .start = 120, .queue = INFINITY, .build_most = 600, .launch_most = 30, .silence = 30};

// So long a worker elsewhere is waited for where others are there.
static const double gather_s = 3;

static void choose_deadlines(struct hone_pool_deadlines *out,
                             const struct hone_pool_deadlines *wanted)
{
    *out = *wanted;
    if (!(out->start > 0)) out->start = default_deadlines.start;
    if (!(out->queue > 0)) out->queue = default_deadlines.queue;
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
        pool->members[i].writing = &pool->writing;
        pool->count += status == HONE_OK;
    }
    return status;
}

// Whether it need not be waited for: it is there, or will be nobody knows when, or never.
static bool is_settled(const struct hone_member *member, enum hone_member_phase phase)
{
    if (member->phase >= phase) return true;
    return !member->local && member->waits_since > 0 &&
           hone_clock_seconds() >= member->waits_since + gather_s;
}

// One of this machine that cannot start at all fails the opening, however many others
// there are. From there on the run ends when nobody is left.
static enum hone_status await_members(struct hone_pool *pool,
                                      enum hone_member_phase phase,
                                      struct hone_error *err)
{
    for (;;) {
        size_t there = 0, missing = 0;
        for (size_t i = 0; i < pool->count; i++) {
            const struct hone_member *member = &pool->members[i];
            const bool is_gone = member->phase == HONE_MEMBER_GONE;
            if (is_gone && member->local && !pool->gathered)
                return hone_error_pass(err, pool->broken.code, &pool->broken);
            there += member->phase >= phase && !is_gone;
            missing += !is_settled(member, phase);
        }
        if (there && !missing) return HONE_OK;
        enum hone_status status = hone_pool_step(pool, err);
        if (status != HONE_OK) return status;
    }
}

static bool is_like(const struct hone_hello *a, const struct hone_hello *b)
{
    return strcmp(a->limits.name, b->limits.name) == 0 && a->clock == b->clock;
}

static enum hone_status fail_unlike(const struct hone_pool *pool,
                                    const struct hone_member *member,
                                    struct hone_error *err)
{
    const struct hone_hello *a = &pool->like, *b = &member->hello;
    return hone_fail(err, HONE_EINPUT,
                     "one run measures on one kind of device: '%s' is %s by %s, '%s' is "
                     "%s by %s",
                     pool->like_name, a->limits.name, hone_clock_name(a->clock),
                     member->name, b->limits.name, hone_clock_name(b->clock));
}

enum hone_status hone_pool_check_alike(const struct hone_pool *pool,
                                       const struct hone_member *member,
                                       struct hone_error *err)
{
    const bool needs_energy = pool->plan.options.objective != HONE_OBJECTIVE_TIME;
    if (!is_like(&pool->like, &member->hello)) return fail_unlike(pool, member, err);
    if (pool->gathered && needs_energy && !member->hello.counts_energy)
        return hone_fail(err, HONE_EINPUT, "worker '%s' counts no energy", member->name);
    for (size_t i = 0; i < pool->count && member->hello.uuid[0]; i++) {
        const struct hone_member *other = &pool->members[i];
        if (other != member && other->program && other->spoke && other->known &&
            strcmp(other->hello.uuid, member->hello.uuid) == 0)
            return hone_fail(err, HONE_EUSAGE, "'%s' and '%s' are the same GPU",
                             other->name, member->name);
    }
    return HONE_OK;
}

static enum hone_status compare_all(struct hone_pool *pool, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < pool->count; i++) {
        const struct hone_member *member = &pool->members[i];
        if (member->phase != HONE_MEMBER_KNOWN) continue;
        if (!pool->like_name) {
            pool->like = member->hello;
            pool->like_name = member->name;
        }
        status = hone_pool_check_alike(pool, member, err);
    }
    return status;
}

static enum hone_status lock_gpus(struct hone_pool *pool, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < pool->count; i++)
        if (pool->members[i].local && !pool->unlocked) // all of them are there
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
    pthread_mutex_init(&pool->writing, NULL);
    pool->no_wait = options->no_wait;
    pool->unlocked = options->unlocked;
    pool->cancel = options->cancel;
    choose_deadlines(&pool->deadlines, &options->deadlines);
    enum hone_status status = make_members(pool, options, err);
    if (status == HONE_OK) status = hone_pool_pulse_start(pool, err);
    if (status == HONE_OK) status = await_members(pool, HONE_MEMBER_KNOWN, err);
    if (status == HONE_OK) status = compare_all(pool, err);
    if (status == HONE_OK) status = lock_gpus(pool, err);
    pool->gathered = status == HONE_OK;
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
        if (pool->members[i].phase == HONE_MEMBER_KNOWN) {
            status = hone_pool_send_setup(pool, &pool->members[i], err);
            // One that ended while it waited is heard of below.
            if (status == HONE_EIO) status = HONE_OK;
        }
    return status == HONE_OK ? await_members(pool, HONE_MEMBER_IDLE, err) : status;
}

struct hone_pool_facts hone_pool_facts(const struct hone_pool *pool)
{
    assert(pool && pool->like_name);
    bool counts_energy = true;
    for (size_t i = 0; i < pool->count; i++)
        if (pool->members[i].known && pool->members[i].phase != HONE_MEMBER_GONE)
            counts_energy &= pool->members[i].hello.counts_energy;
    return (struct hone_pool_facts){.limits = &pool->like.limits,
                                    .device_id = pool->like.id,
                                    .driver = pool->like.driver,
                                    .clock = pool->like.clock,
                                    .counts_energy = counts_energy,
                                    .clock_note = pool->ready.clock_note};
}

struct hone_pool_counts hone_pool_counts(const struct hone_pool *pool)
{
    struct hone_pool_counts counts = pool->counts;
    for (size_t i = 0; i < pool->count; i++)
        counts.waiting += hone_member_is_queued(&pool->members[i]);
    return counts;
}
