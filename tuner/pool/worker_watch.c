// The tuner is told why the worker ends, if that can be said at once: then no
// configuration is held to be the reason.
#include "worker_watch.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/thread.h"
#include "pool_message.h"

enum { LOOK_MS = 250, PART_MS = 500 };

static sigset_t only(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

void hone_worker_watch_block(void)
{
    const sigset_t term = only(SIGTERM);
    pthread_sigmask(SIG_BLOCK, &term, NULL);
}

// --- ending ---

static bool lock_for(pthread_mutex_t *lock, double seconds)
{
    const double until = hone_clock_seconds() + seconds;
    while (pthread_mutex_trylock(lock) != 0) {
        if (hone_clock_seconds() >= until) return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

// A frame that is begun is never cut: a pipe with room takes one this small whole.
static void say_why(struct hone_worker_watch *watch, const char *why)
{
    struct hone_message message = {.type = HONE_MESSAGE_FAILED};
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    struct pollfd wanted = {.fd = watch->out, .events = POLLOUT};
    message.failed.status = HONE_ECANCELLED;
    hone_fail(&message.failed.error, HONE_ECANCELLED, "%s", why);
    if (hone_message_write(&frame, &message, NULL) != HONE_OK) return;
    if (!lock_for(watch->speaking, PART_MS / 1e3)) return;
    if (poll(&wanted, 1, PART_MS) <= 0 || !(wanted.revents & POLLOUT)) return;
    if (write(watch->out, frame.data, frame.len) < 0) return;
}

static _Noreturn void end_worker(struct hone_worker_watch *watch, const char *why,
                                 int code)
{
    say_why(watch, why);
    fprintf(stderr, "hone worker: %s\n", why);
    _exit(code);
}

// --- watching ---

static long long now_ms(void)
{
    return (long long)(hone_clock_seconds() * 1e3) + 1;
}

static bool is_silent(struct hone_worker_watch *watch)
{
    const long long heard = atomic_load(&watch->heard_ms);
    return heard && (double)(now_ms() - heard) > watch->silence_s * 1e3;
}

static void *watch_tuner(void *context)
{
    struct hone_worker_watch *watch = context;
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    sigset_t awaited = only(SIGTERM);
    char why[128];
    sigaddset(&awaited, SIGUSR2); // the end of the watch; a thread of ours takes none
    for (;;) {
        const int number = sigtimedwait(&awaited, NULL, &look);
        if (atomic_load(&watch->stop)) return NULL;
        if (number == SIGTERM)
            end_worker(watch, "was told to end by SIGTERM", 128 + SIGTERM);
        if (!is_silent(watch)) continue;
        snprintf(why, sizeof why, "heard nothing from the tuner for %s s",
                 hone_plain(watch->silence_s, 3).text);
        end_worker(watch, why, 1);
    }
}

enum hone_status hone_worker_watch_start(struct hone_worker_watch *watch,
                                         struct hone_error *err)
{
    atomic_store(&watch->stop, false);
    atomic_store(&watch->heard_ms, 0);
    if (hone_thread_start(&watch->thread, watch_tuner, watch)) return HONE_OK;
    return hone_fail(err, HONE_ELIMIT, "no thread can be started to watch the tuner");
}

void hone_worker_watch_heard(struct hone_worker_watch *watch)
{
    atomic_store(&watch->heard_ms, now_ms());
}

void hone_worker_watch_stop(struct hone_worker_watch *watch)
{
    atomic_store(&watch->stop, true);
    pthread_kill(watch->thread, SIGUSR2);
    pthread_join(watch->thread, NULL);
}
