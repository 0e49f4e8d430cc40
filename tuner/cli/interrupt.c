#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli.h"

// timeout(1) interrupts the program, and then its group: for a second that is one signal.
enum { GRACE_MS = 800, STEP_MS = 10 };
static const double as_one_s = 1;

static volatile sig_atomic_t interrupted;
static sigset_t caught;
static atomic_bool held;

const volatile sig_atomic_t *cli_interrupt_flag(void)
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
    static const char text[] = "hone: interrupted; what was measured is kept\n";
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int number;
    (void)unused;
    while (sigwait(&caught, &number) != 0) {
    }
    const double since = hone_clock_seconds();
    interrupted = number;
    for (int left = GRACE_MS; left > 0;) {
        number = sigtimedwait(&caught, NULL, &step);
        if (number > 0 && hone_clock_seconds() - since >= as_one_s) end_by(number);
        if (!atomic_load(&held)) left -= STEP_MS;
    }
    const int code = CLI_SIGNALLED + (int)interrupted;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(code);
    _exit(code);
}

void cli_interrupt_catch(void)
{
    static bool catching;
    pthread_t thread;
    if (catching) return;
    catching = true;
    sigemptyset(&caught);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &caught, NULL);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
}

bool cli_interrupt_hold(bool hold)
{
    return atomic_exchange(&held, hold);
}
