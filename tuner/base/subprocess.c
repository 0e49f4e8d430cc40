// Programs on pipes. Its input is a socket, which can be written without SIGPIPE; both
// ends of ours do not block, and every wait is one poll that takes what comes first.
#define _GNU_SOURCE // pipe2; close-on-exec at once, for other threads start programs too
#include "base/subprocess.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "child.h"
#include "hone/strbuf.h"

extern char **environ;

enum { LINE_MAX_BYTES = 64 << 20, READ_BYTES = 1 << 16, KILL_SECONDS = 30 };

struct hone_subprocess {
    char *name; // argv[0]
    pid_t id;
    char mark[HONE_SPAWN_MARK]; // of all that it starts
    int to, from;               // -1 once closed
    struct hone_strbuf input;
    size_t taken;   // bytes of input that earlier lines took
    size_t scanned; // bytes of input without an end of line
    bool reaped;
    struct hone_exit how;
    enum { STAYS, CLOSED, TERMINATED, KILLED } step; // of its end
    double due;                                      // the next one
    double term_s;
};

// --- starting ---

// Ends above standard error, so that none is overwritten when they become 0 and 1.
static bool raise_ends(int *ends)
{
    for (int i = 0; i < 2; i++) {
        int high = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        if (high < 0) return false;
        close(ends[i]);
        ends[i] = high;
    }
    return true;
}

static bool keep_ours(int ours)
{
    int flags = fcntl(ours, F_GETFL);
    return flags >= 0 && fcntl(ours, F_SETFL, flags | O_NONBLOCK) == 0;
}

// in: what the program reads; out: what it writes. [0] is ours of in, [1] of out.
static bool open_pipes(int *in, int *out)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0) return false;
    if (pipe2(out, O_CLOEXEC) != 0) return false;
    if (!raise_ends(in) || !raise_ends(out)) return false;
    return keep_ours(in[0]) && keep_ours(out[0]);
}

static void close_both(const int *ends)
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
}

static enum hone_status launch(struct hone_subprocess *program, const char *const *argv,
                               const struct hone_subprocess_options *options,
                               struct hone_error *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    int failed = open_pipes(in, out) ? 0 : errno;
    const struct hone_spawn what = {
        .argv = argv,
        .environment = options->environment ? options->environment : environ,
        .in = in[1],
        .out = out[1],
        .quiet = options->quiet,
        .errors = options->errors};
    if (!failed) failed = hone_spawn(&program->id, program->mark, &what);
    if (failed) {
        close_both(in);
        close_both(out);
        return hone_fail(err,
                         failed == ENOENT   ? HONE_ENOTFOUND
                         : failed == ENOMEM ? HONE_ENOMEM
                                            : HONE_EIO,
                         "cannot start '%s': %s", argv[0], hone_errno_text(failed));
    }
    close(in[1]);
    close(out[1]);
    program->to = in[0];
    program->from = out[0];
    return HONE_OK;
}

enum hone_status hone_subprocess_start(struct hone_subprocess **out,
                                       const char *const *argv, struct hone_error *err)
{
    static const struct hone_subprocess_options usual;
    return hone_subprocess_start_with(out, argv, &usual, err);
}

enum hone_status hone_subprocess_start_with(struct hone_subprocess **out,
                                            const char *const *argv,
                                            const struct hone_subprocess_options *options,
                                            struct hone_error *err)
{
    assert(argv && argv[0]);
    *out = NULL;
    struct hone_subprocess *program = calloc(1, sizeof *program);
    char *name = strdup(argv[0]);
    enum hone_status status = HONE_ENOMEM;
    if (!program || !name)
        hone_no_memory(err, "starting '%s'", argv[0]);
    else
        status = launch(program, argv, options, err);
    if (status != HONE_OK) {
        free(program);
        free(name);
        return status;
    }
    program->name = name;
    program->input = (struct hone_strbuf)HONE_STRBUF_INIT;
    *out = program;
    return HONE_OK;
}

int hone_subprocess_id(const struct hone_subprocess *program)
{
    return (int)program->id;
}

// --- lines ---

static void close_end(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// Take what has come; an end or a failure closes our side.
static void subprocess_fill(struct hone_subprocess *program)
{
    char bytes[READ_BYTES];
    if (program->taken) {
        struct hone_strbuf *input = &program->input;
        memmove(input->data, input->data + program->taken, input->len - program->taken);
        input->len -= program->taken;
        program->scanned = 0;
        program->taken = 0;
    }
    ssize_t n = read(program->from, bytes, sizeof bytes);
    if (n > 0)
        hone_strbuf_add_bytes(&program->input, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        close_end(&program->from);
    if (program->input.len > LINE_MAX_BYTES) program->input.failed = true;
    if (program->input.failed) close_end(&program->from);
}

// The end of line in input, NULL while there is none.
static char *find_end(struct hone_subprocess *program)
{
    struct hone_strbuf *input = &program->input;
    const size_t from = program->taken + program->scanned;
    char *end = memchr(input->data + from, '\n', input->len - from);
    if (!end) program->scanned = input->len - program->taken;
    return end;
}

static bool is_ready(struct hone_subprocess *program)
{
    return program->from < 0 || find_end(program);
}

// Milliseconds for poll, rounded up.
static int poll_time(double deadline)
{
    double left_ms = ceil((deadline - hone_clock_seconds()) * 1e3);
    if (isinf(deadline)) return -1;
    return left_ms <= 0 ? 0 : left_ms > 1e6 ? 1000000 : (int)left_ms;
}

static enum hone_status late(const struct hone_subprocess *program, const char *what,
                             struct hone_error *err)
{
    return hone_fail(err, HONE_ELIMIT, "'%s' %s in the time it has", program->name, what);
}

static enum hone_status closed(const struct hone_subprocess *program,
                               struct hone_error *err)
{
    if (program->input.len > LINE_MAX_BYTES)
        return hone_fail(err, HONE_EINPUT, "'%s' sent a line of over %d MiB",
                         program->name, LINE_MAX_BYTES >> 20);
    if (program->input.failed)
        return hone_no_memory(err, "for a line of '%s'", program->name);
    return hone_fail(err, HONE_EIO, "'%s' closed its output", program->name);
}

enum hone_status hone_subprocess_read_line(struct hone_subprocess *program,
                                           const char **line, size_t *size,
                                           double deadline, struct hone_error *err)
{
    char *end;
    while (!(end = find_end(program)) && program->from >= 0) {
        struct pollfd wanted = {.fd = program->from, .events = POLLIN};
        if (poll(&wanted, 1, poll_time(deadline)) > 0)
            subprocess_fill(program);
        else if (hone_clock_seconds() >= deadline)
            return late(program, "sent no line", err);
    }
    struct hone_strbuf *input = &program->input;
    if (!end && (input->failed || program->taken == input->len))
        return closed(program, err);
    char *start = input->data + program->taken;
    *size = end ? (size_t)(end - start) : input->len - program->taken;
    start[*size] = '\0';
    *line = start;
    program->taken += *size + (end != NULL);
    program->scanned = 0;
    return HONE_OK;
}

size_t hone_subprocess_peek(const struct hone_subprocess *program, const char **data)
{
    *data = program->input.data + program->taken;
    return program->input.len - program->taken;
}

void hone_subprocess_skip(struct hone_subprocess *program, size_t bytes)
{
    program->taken += bytes;
    program->scanned = 0;
}

bool hone_subprocess_lacks_memory(const struct hone_subprocess *program)
{
    return program->input.failed && program->input.len <= LINE_MAX_BYTES;
}

bool hone_subprocess_is_closed(const struct hone_subprocess *program)
{
    return program->from < 0;
}

bool hone_subprocess_poll(struct hone_subprocess *const *programs, size_t count,
                          double deadline)
{
    struct pollfd *wanted = calloc(count + 1, sizeof *wanted);
    if (!wanted) return false;
    for (size_t i = 0; i < count; i++) {
        wanted[i].fd = programs[i] ? programs[i]->from : -1;
        wanted[i].events = POLLIN;
    }
    const bool found = poll(wanted, (nfds_t)count, poll_time(deadline)) > 0;
    for (size_t i = 0; i < count && found; i++)
        if (wanted[i].fd >= 0 && wanted[i].revents) subprocess_fill(programs[i]);
    free(wanted);
    return found;
}

size_t hone_subprocess_wait(struct hone_subprocess *const *programs, size_t count,
                            double deadline)
{
    struct pollfd *wanted = calloc(count + 1, sizeof *wanted);
    size_t ready = count;
    while (wanted) {
        for (size_t i = 0; i < count && ready == count; i++) {
            if (programs[i] && is_ready(programs[i])) ready = i;
            wanted[i].fd = programs[i] ? programs[i]->from : -1;
            wanted[i].events = POLLIN;
        }
        if (ready < count) break;
        int found = poll(wanted, (nfds_t)count, poll_time(deadline));
        for (size_t i = 0; i < count && found > 0; i++)
            if (wanted[i].fd >= 0 && wanted[i].revents) subprocess_fill(programs[i]);
        if (found < 0 || (!found && hone_clock_seconds() >= deadline)) break;
    }
    free(wanted);
    return ready;
}

enum hone_status hone_subprocess_write(struct hone_subprocess *program, const void *data,
                                       size_t size, double deadline,
                                       struct hone_error *err)
{
    const char *at = data;
    while (size) {
        ssize_t n = program->to < 0 ? -1 : send(program->to, at, size, MSG_NOSIGNAL);
        if (n > 0) {
            at += n;
            size -= (size_t)n;
            continue;
        }
        if (program->to < 0 || (errno != EAGAIN && errno != EINTR))
            return hone_fail(err, HONE_EIO, "'%s' no longer reads its input",
                             program->name);
        struct pollfd wanted[] = {{.fd = program->to, .events = POLLOUT},
                                  {.fd = program->from, .events = POLLIN}};
        if (poll(wanted, 2, poll_time(deadline)) > 0) {
            if (program->from >= 0 && wanted[1].revents) subprocess_fill(program);
        } else if (hone_clock_seconds() >= deadline) {
            return late(program, "did not read its input", err);
        }
    }
    return HONE_OK;
}

bool hone_subprocess_try_write(struct hone_subprocess *program, const void *data,
                               size_t size)
{
    // A socket of this kind takes few bytes whole or not at all.
    if (program->to < 0) return false;
    return send(program->to, data, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

// --- ending ---

// Whether it has ended; its id stays taken until it is reaped.
static bool has_ended(const struct hone_subprocess *program)
{
    siginfo_t info = {0};
    int done = waitid(P_PID, (id_t)program->id, &info, WEXITED | WNOHANG | WNOWAIT);
    return done != 0 || info.si_pid == program->id;
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

// A process inside a driver that does not answer cannot be killed: it is left there.
static void reap(struct hone_subprocess *program)
{
    int status = 0;
    const double deadline = hone_clock_seconds() + KILL_SECONDS;
    while (!has_ended(program) && hone_clock_seconds() < deadline)
        pause_ms(1);
    program->reaped = true;
    if (!has_ended(program)) {
        program->how.stuck = true;
        return;
    }
    while (waitpid(program->id, &status, 0) < 0 && errno == EINTR) {
    }
    program->how.signalled = WIFSIGNALED(status);
    program->how.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

struct hone_exit hone_subprocess_stop(struct hone_subprocess *program, double deadline)
{
    if (program->reaped) return program->how;
    close_end(&program->to);
    for (long ms = 1; !has_ended(program) && hone_clock_seconds() < deadline;
         ms = ms < 20 ? ms * 2 : ms) {
        // What it still says is lost, but must not block it.
        char bytes[READ_BYTES];
        if (program->from < 0 || read(program->from, bytes, sizeof bytes) <= 0)
            pause_ms(ms);
    }
    kill(-program->id, SIGKILL);
    close_end(&program->from);
    reap(program);
    hone_spawn_kill_marked(program->mark);
    return program->how;
}

void hone_subprocess_leave(struct hone_subprocess *program, struct hone_patience patience)
{
    const double due = hone_clock_seconds() + patience.close_s;
    close_end(&program->to);
    if (program->step == CLOSED) program->due = fmin(program->due, due);
    if (program->step != STAYS) return;
    program->step = CLOSED;
    program->due = due;
    program->term_s = patience.term_s;
}

static void drop_what_it_says(struct hone_subprocess *program)
{
    char bytes[READ_BYTES];
    while (program->from >= 0 && read(program->from, bytes, sizeof bytes) > 0) {
    }
}

// A program that stands still must go on to see SIGTERM.
static void take_step(struct hone_subprocess *program)
{
    const double now = hone_clock_seconds();
    if (program->step == CLOSED && program->term_s > 0) {
        program->step = TERMINATED;
        program->due = now + program->term_s;
        kill(-program->id, SIGTERM);
        kill(-program->id, SIGCONT);
    } else {
        program->step = KILLED;
        program->due = now + KILL_SECONDS;
        kill(-program->id, SIGKILL);
    }
}

bool hone_subprocess_has_left(struct hone_subprocess *program, struct hone_exit *how)
{
    assert(program->step != STAYS);
    drop_what_it_says(program);
    const bool is_due = hone_clock_seconds() >= program->due;
    if (!program->reaped && !has_ended(program)) {
        if (!is_due) return false;
        if (program->step != KILLED) {
            take_step(program);
            return false;
        }
        program->reaped = program->how.stuck = true;
    }
    *how = hone_subprocess_stop(program, 0);
    return true;
}

double hone_subprocess_step_due(const struct hone_subprocess *program)
{
    return program->due;
}

void hone_subprocess_free(struct hone_subprocess *program)
{
    if (!program) return;
    hone_subprocess_stop(program, 0);
    hone_strbuf_fini(&program->input);
    free(program->name);
    free(program);
}

void hone_exit_text(char *buf, size_t size, struct hone_exit how)
{
    if (how.stuck)
        snprintf(buf, size, "does not end even when it is killed");
    else if (how.signalled)
        snprintf(buf, size, "was killed by signal %d (%s)", how.code,
                 hone_signal_text(how.code));
    else
        snprintf(buf, size, "ended with status %d", how.code);
}
