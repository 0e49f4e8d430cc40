#include "interrupt.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { GRACE_MS = 800, STEP_MS = 10 };

static volatile sig_atomic_t interrupted;
static sem_t caught;
static atomic_bool held;

const volatile sig_atomic_t *cli_interrupt_flag(void)
{
    return &interrupted;
}

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
    sem_post(&caught);
}

static void *watch(void *unused)
{
    static const char text[] = "hone: interrupted; what was measured is kept\n";
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    (void)unused;
    while (sem_wait(&caught) != 0) {
    }
    for (int left = GRACE_MS; left > 0; nanosleep(&step, NULL))
        if (!atomic_load(&held)) left -= STEP_MS;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(CLI_FAILED);
    _exit(CLI_FAILED);
}

// Signals are for the main thread.
static void start_watch(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_interrupt_catch(void)
{
    static bool catching;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    if (catching) return;
    catching = true;
    sem_init(&caught, 0, 0);
    start_watch();
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void cli_interrupt_hold(bool hold)
{
    atomic_store(&held, hold);
}
