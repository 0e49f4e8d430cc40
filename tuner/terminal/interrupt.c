#include "terminal/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"

// timeout(1) interrupts the program, and then its group: for a second that is one signal.
enum { STEP_MS = 10 };
static const double as_one_s = 1;
static atomic_int grace_ms = 800;

static volatile sig_atomic_t interrupted;
static sigset_t caught;
static void (*end_late)(int number);
static atomic_bool held;

const volatile sig_atomic_t *hone_interrupt_flag(void)
{
    return &interrupted;
}

// As the signal would have done.
static void end_by(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

// Waits for signals that are blocked in every thread: a handler would not do, since NVRTC
// sets its own while it compiles, and two that compile at once leave one of them behind.
static void *watch(void *unused)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int number;
    (void)unused;
    while (sigwait(&caught, &number) != 0) {
    }
    const double since = hone_clock_seconds();
    interrupted = number;
    for (int left = atomic_load(&grace_ms); left > 0;) {
        number = sigtimedwait(&caught, NULL, &step);
        if (number > 0 && hone_clock_seconds() - since >= as_one_s) end_by(number);
        if (!atomic_load(&held)) left -= STEP_MS;
    }
    end_late((int)interrupted);
    return NULL;
}

void hone_interrupt_catch(void (*late)(int number))
{
    static bool catching;
    pthread_t thread;
    if (catching) return;
    catching = true;
    end_late = late;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &caught, NULL);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
}

void hone_interrupt_patience(double seconds)
{
    atomic_store(&grace_ms, (int)(seconds * 1e3));
}

bool hone_interrupt_hold(bool hold)
{
    return atomic_exchange(&held, hold);
}
