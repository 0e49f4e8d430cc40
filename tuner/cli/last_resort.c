// Ends of the program that are not in order. Streams may be locked by who hangs, so the
// last words go to the descriptor itself.
#include <time.h>
#include <unistd.h>

#include "base/sink.h"
#include "base/thread.h"
#include "cli.h"
#include "hone/script.h"

static _Noreturn void end_now(const char *text, size_t len, int code)
{
    if (write(STDERR_FILENO, text, len) < 0) _exit(code);
    _exit(code);
}

void cli_end_interrupted(int number)
{
    static const char text[] = "hone: interrupted; what was measured is kept\n";
    end_now(text, sizeof text - 1, CLI_SIGNALLED + number);
}

static _Noreturn void end_for(const char *script)
{
    struct hone_strbuf text = HONE_STRBUF_INIT, seen = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text,
                       "hone: %s: one call into the script ran over %d seconds of "
                       "processor time, the limit of the program; what was measured is "
                       "kept. Give the script less to do in one call\n",
                       script, HONE_SCRIPT_OVERDUE_S);
    hone_sink_visible(&seen, text.data, text.len);
    end_now(seen.data, seen.len, CLI_WRONG_USE);
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = 500 * 1000000L};
    char script[4096];
    (void)unused;
    for (;;) {
        nanosleep(&pause, NULL);
        if (hone_script_overdue(HONE_SCRIPT_OVERDUE_S, script, sizeof script))
            end_for(script);
    }
    return NULL;
}

void cli_watchdog_start(void)
{
    pthread_t thread;
    if (hone_thread_start(&thread, watch, NULL)) pthread_detach(thread);
}
