// A worker elsewhere ends itself when its tuner is silent, for it may be gone. A thread
// says once a second that it is not, since the main one may be at anything: a search that
// thinks for minutes, or a header.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/thread.h"
#include "pool_internal.h"

enum { EVERY_MS = 1000 };

// One that reads nothing now has no use for it; nobody is waited for.
static void beat(struct hone_pool *pool, const struct hone_strbuf *frame)
{
    pthread_mutex_lock(&pool->writing);
    for (size_t i = 0; i < pool->count; i++) {
        struct hone_member *member = &pool->members[i];
        if (member->program && member->listens && !member->local)
            hone_subprocess_try_write(member->program, frame->data, frame->len);
    }
    pthread_mutex_unlock(&pool->writing);
}

static void *keep_beating(void *context)
{
    struct hone_pool *pool = context;
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    struct pollfd end = {.fd = pool->pulse_end[0], .events = POLLIN};
    const struct hone_message alive = {.type = HONE_MESSAGE_ALIVE};
    bool works = hone_message_write(&frame, &alive, NULL) == HONE_OK;
    while (works && poll(&end, 1, EVERY_MS) <= 0)
        beat(pool, &frame);
    hone_strbuf_fini(&frame);
    return NULL;
}

enum hone_status hone_pool_pulse_start(struct hone_pool *pool, struct hone_error *err)
{
    bool needed = false;
    for (size_t i = 0; i < pool->count; i++)
        needed |= !pool->members[i].local;
    if (!needed) return HONE_OK;
    if (pipe(pool->pulse_end) != 0)
        return hone_fail(err, HONE_EIO, "no pipe for signs of life: %s",
                         hone_errno_text(errno));
    for (int i = 0; i < 2; i++)
        fcntl(pool->pulse_end[i], F_SETFD, FD_CLOEXEC);
    pool->has_pulse = hone_thread_start(&pool->pulse, keep_beating, pool);
    if (pool->has_pulse) return HONE_OK;
    close(pool->pulse_end[0]);
    close(pool->pulse_end[1]);
    return hone_fail(err, HONE_ELIMIT, "no thread can be started for workers elsewhere");
}

void hone_pool_pulse_stop(struct hone_pool *pool)
{
    if (!pool->has_pulse) return;
    if (write(pool->pulse_end[1], "", 1) == 1) pthread_join(pool->pulse, NULL);
    close(pool->pulse_end[0]);
    close(pool->pulse_end[1]);
    pool->has_pulse = false;
}
