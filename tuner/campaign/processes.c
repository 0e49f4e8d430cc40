// Runs as processes of this machine: they end with this one, however that ends.
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "campaign/engine.h"

// From the end of what it prints to its own.
static const double last_s = 30;

static enum hone_status process_start(void *context, void **process,
                                      const char *const *argv, int log,
                                      struct hone_error *err)
{
    struct hone_subprocess *program;
    const struct hone_subprocess_options options = {.errors = log};
    (void)context;
    enum hone_status status = hone_subprocess_start_with(&program, argv, &options, err);
    *process = status == HONE_OK ? program : NULL;
    return status;
}

static void process_wait(void *context, void *const *processes, size_t count,
                         double seconds)
{
    (void)context;
    hone_subprocess_wait((struct hone_subprocess *const *)processes, count,
                         hone_clock_seconds() + seconds);
}

static bool process_ended(void *context, void *process, int log, int *code)
{
    struct hone_subprocess *program = process;
    const char *line;
    size_t size;
    enum hone_status status;
    (void)context;
    while ((status = hone_subprocess_read_line(program, &line, &size, 0, NULL)) ==
           HONE_OK) {
        // A log on a full disk is short; the run itself does not depend on it.
        if (!hone_fd_write(log, line, size) || !hone_fd_write(log, "\n", 1)) continue;
    }
    if (status == HONE_ELIMIT) return false;
    const struct hone_exit how =
        hone_subprocess_stop(program, hone_clock_seconds() + last_s);
    *code = how.signalled ? 128 + how.code : how.code;
    return true;
}

static void process_stop(void *context, void *process)
{
    (void)context;
    kill(hone_subprocess_id(process), SIGTERM);
}

static void process_release(void *context, void *process)
{
    (void)context;
    hone_subprocess_free(process);
}

static double process_now(void *context)
{
    (void)context;
    return hone_clock_seconds();
}

const struct hone_starter hone_starter_processes = {.start = process_start,
                                                    .wait = process_wait,
                                                    .ended = process_ended,
                                                    .stop = process_stop,
                                                    .release = process_release,
                                                    .now = process_now};
