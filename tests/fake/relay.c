/* What lies between a tuner and a worker elsewhere, as badly as it can be: a program that runs
 * another one and passes on what both say.
 *
 *     relay [WORD...] -- COMMAND...
 *
 *     greet=TEXT    prints a line of its own first, as a login shell does
 *     lines         passes on whole lines of output only, as srun without -u
 *     block=N       passes on output by N bytes, as a buffer does
 *     split=SEED    passes on both directions in pieces of 1 to 40 bytes
 *     delay=MS      waits so long before each piece
 *     drop=N        after N bytes of output the connection is gone: it ends
 *     freeze=N      after N bytes of output neither side hears anything any more
 *     no_input=N    after N bytes of output it no longer passes on what the tuner says
 *     hold=FILE     once the tuner has said over 256 bytes, as it does to set a worker up, passes
 *                   on none of them until FILE is there; its note is "held"
 *     no_output=N   after N bytes of output it no longer passes on what the worker says
 *     deaf          minds neither SIGTERM nor the end of its input
 *     remote        the command is out of reach: a session of its own, without the marks that
 *                   processes of ours have in their environment, and it outlives this one
 *     note=FILE     appends to FILE: "worker PID", and the signals and ends that it sees
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { ROOM = 1 << 20 };

struct way { /* one direction */
    int from, to;
    char *bytes;
    size_t held;
    bool ended;
};

static struct {
    const char *greeting, *note, *hold;
    bool lines, deaf, remote;
    unsigned long block, split, delay_ms, drop, freeze, no_input, no_output;
} how;
static unsigned long passed; /* bytes of output */
static pid_t child;
static volatile sig_atomic_t told;

static void note(const char *text)
{
    if (!how.note) return;
    FILE *file = fopen(how.note, "a");
    if (!file) return;
    fprintf(file, "%s\n", text);
    fclose(file);
}

static bool take_number(unsigned long *out, const char *word, const char *name)
{
    const size_t len = strlen(name);
    if (strncmp(word, name, len) != 0 || word[len] != '=') return false;
    *out = strtoul(word + len + 1, NULL, 10);
    return true;
}

static bool take_word(const char *word)
{
    if (strncmp(word, "greet=", 6) == 0) return (how.greeting = word + 6);
    if (strncmp(word, "note=", 5) == 0) return (how.note = word + 5);
    if (strncmp(word, "hold=", 5) == 0) return (how.hold = word + 5);
    if (strcmp(word, "lines") == 0) return (how.lines = true);
    if (strcmp(word, "deaf") == 0) return (how.deaf = true);
    if (strcmp(word, "remote") == 0) return (how.remote = true);
    return take_number(&how.block, word, "block") ||
           take_number(&how.split, word, "split") ||
           take_number(&how.delay_ms, word, "delay") ||
           take_number(&how.drop, word, "drop") ||
           take_number(&how.freeze, word, "freeze") ||
           take_number(&how.no_input, word, "no_input") ||
           take_number(&how.no_output, word, "no_output");
}

static void leave_marks_behind(void)
{
    size_t kept = 0;
    for (size_t i = 0; environ[i]; i++)
        if (strncmp(environ[i], "HONE_CHILD_OF_", 14) != 0) environ[kept++] = environ[i];
    environ[kept] = NULL;
}

static void start(char **argv, struct way *in, struct way *out)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) exit(126);
    child = fork();
    if (child < 0) exit(126);
    if (!child) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        if (how.remote) setsid();
        if (how.remote) leave_marks_behind();
        signal(SIGTERM, SIG_DFL);
        execvp(argv[0], argv);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    *in = (struct way){.from = 0, .to = to[1], .bytes = malloc(ROOM)};
    *out = (struct way){.from = from[0], .to = 1, .bytes = malloc(ROOM)};
}

static void on_term(int number)
{
    (void)number;
    told = 1;
}

/* How many of the bytes that are held may go now. */
static size_t may_go(const struct way *way)
{
    const bool is_output = way->to == 1;
    if (way->ended || !is_output) return way->held;
    if (how.block) return way->held - way->held % how.block;
    const char *end = how.lines ? memrchr(way->bytes, '\n', way->held) : NULL;
    return how.lines ? (end ? (size_t)(end + 1 - way->bytes) : 0) : way->held;
}

static bool is_over(unsigned long limit)
{
    return limit && passed >= limit;
}

static bool is_blocked(const struct way *way)
{
    return is_over(how.freeze) || is_over(way->to == 1 ? how.no_output : how.no_input);
}

static void write_all(int to, const char *bytes, size_t size)
{
    while (size) {
        const ssize_t n = write(to, bytes, size);
        if (n < 0 && errno != EINTR) return;
        if (n > 0) bytes += n, size -= (size_t)n;
    }
}

static size_t piece_of(size_t size)
{
    static unsigned long state;
    if (!how.split) return size;
    if (!state) state = how.split;
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    const size_t piece = 1 + (state >> 33) % 40;
    return piece < size ? piece : size;
}

static void hold_back(const struct way *way)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    static size_t heard;
    if (way->to == 1 || !how.hold) return;
    heard += way->held;
    if (heard <= 256) return;
    note("held");
    while (access(how.hold, F_OK) != 0 && !told)
        nanosleep(&nap, NULL);
    how.hold = NULL;
}

static void pass_on(struct way *way)
{
    hold_back(way);
    size_t left = may_go(way), at = 0;
    while (left && !is_blocked(way)) {
        size_t piece = piece_of(left);
        const struct timespec nap = {.tv_nsec = (long)how.delay_ms * 1000000};
        if (how.delay_ms) nanosleep(&nap, NULL);
        if (way->to == 1 && how.drop && passed + piece > how.drop)
            piece = how.drop - passed;
        write_all(way->to, way->bytes + at, piece);
        if (way->to == 1) passed += piece;
        if (is_over(how.drop)) {
            note("dropped");
            exit(255);
        }
        at += piece;
        left -= piece;
    }
    if (is_blocked(way)) at = way->held; /* lost on the way */
    memmove(way->bytes, way->bytes + at, way->held - at);
    way->held -= at;
}

static void take(struct way *way)
{
    const ssize_t n = read(way->from, way->bytes + way->held, ROOM - way->held);
    if (n > 0) way->held += (size_t)n;
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) way->ended = true;
    pass_on(way);
    if (!way->ended) return;
    way->from = -1;
    if (way->to == 1) return;
    note("input ended");
    if (!how.deaf && !is_blocked(way)) close(way->to);
}

int main(int argc, char **argv)
{
    int first = 1;
    struct way in, out;
    while (first < argc && take_word(argv[first]))
        first++;
    if (first + 1 >= argc || strcmp(argv[first], "--") != 0) {
        fprintf(stderr, "relay: '%s'?\n", first < argc ? argv[first] : "");
        return 126;
    }
    struct sigaction action = {.sa_handler = on_term};
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    if (how.greeting) write_all(1, how.greeting, strlen(how.greeting));
    if (how.greeting) write_all(1, "\n", 1);
    start(argv + first + 1, &in, &out);
    char who[32];
    snprintf(who, sizeof who, "worker %ld", (long)child);
    note(who);
    while (!out.ended) {
        struct pollfd wanted[] = {{.fd = in.from, .events = POLLIN},
                                  {.fd = out.from, .events = POLLIN}};
        const int found = poll(wanted, 2, -1);
        if (told) note("terminated");
        if (told && !how.deaf) return 128 + SIGTERM;
        told = 0;
        if (found > 0 && wanted[0].revents) take(&in);
        if (found > 0 && wanted[1].revents) take(&out);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    snprintf(who, sizeof who, "worker ended %d", code);
    note(who);
    return code;
}
