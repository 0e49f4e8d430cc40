// The helper's side. It opens the compiler as the process that it is, then shuts itself
// in, and compiles what it is sent until its input ends or its parent does.
#define _GNU_SOURCE // prctl, close_range
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/box.h"
#include "base/file.h"
#include "compile_message.h"
#include "compile_way.h"
#include "hone/version.h"

enum { READ_BYTES = 1 << 16, GARBAGE = 2, NO_MEMORY = 3, CUT = 4 };
// NVRTC recurses deeply on large sources.
enum { STACK_BYTES = 32 << 20 };

struct server {
    int out;
    int printed; // the end to read
    struct hone_strbuf input;
    struct hone_compiler *compiler;
    struct hone_compile_ready ready;
};

// --- the process ---

// Whatever the program that started us left open is not the compiler's.
static void close_others(void)
{
#ifdef __NR_close_range
    if (syscall(__NR_close_range, 3, ~0u, 0) == 0) return;
#endif
    for (long fd = sysconf(_SC_OPEN_MAX); fd-- > 3;)
        close((int)fd);
}

// What the compiler prints must not get between the frames. It is kept, since ptxas says
// there alone that it ran out of memory; where a person wants to see it, it is not.
static void take_output(struct server *server)
{
    int ends[2];
    const char *verbose = getenv("HONE_VERBOSE");
    close_others();
    server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (server->out < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) _exit(CUT);
    server->printed = ends[0];
    const bool seen = verbose && *verbose;
    if (!seen && dup2(ends[1], STDERR_FILENO) < 0) _exit(CUT);
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(CUT);
    close(ends[1]);
}

// Whether it printed so; what it printed is gone then.
static bool printed_of_memory(const struct server *server)
{
    char text[READ_BYTES + 1];
    size_t len = 0;
    for (ssize_t n; len < READ_BYTES; len += (size_t)n)
        if ((n = read(server->printed, text + len, READ_BYTES - len)) <= 0) break;
    text[len] = '\0';
    return strstr(text, "ptxas fatal   : Memory allocation failure");
}

// --- frames ---

static void take_frame(struct server *server, struct hone_frame *frame)
{
    size_t used = 0;
    char bytes[READ_BYTES];
    while (!used) {
        if (hone_frame_parse(frame, &used, server->input.data, server->input.len, NULL) !=
            HONE_OK)
            _exit(GARBAGE);
        if (used) break;
        const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n == 0) _exit(server->input.len ? CUT : 0);
        if (n < 0 && errno != EINTR) _exit(CUT);
        if (n > 0) hone_strbuf_add_bytes(&server->input, bytes, (size_t)n);
        if (server->input.failed) _exit(NO_MEMORY);
    }
}

static void send(struct server *server, enum hone_compile_type type,
                 const struct hone_wire *wire)
{
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    if (wire->out->failed || wire->out->len > HONE_FRAME_MAX) _exit(NO_MEMORY);
    hone_frame_write(&frame, (uint8_t)type, wire->out->data, wire->out->len);
    if (frame.failed) _exit(NO_MEMORY);
    if (!hone_fd_write(server->out, frame.data, frame.len)) _exit(CUT);
    hone_strbuf_fini(&frame);
}

static struct hone_wire reader(const struct hone_frame *frame, struct hone_arena *arena)
{
    return (struct hone_wire){.reading = true,
                              .at = frame->data,
                              .end = frame->data + frame->size,
                              .arena = arena};
}

// --- serving ---

static void open_compiler(struct server *server)
{
    struct hone_frame frame;
    struct hone_arena arena = {0};
    struct hone_compile_open open = {0};
    struct hone_error err = {0};
    take_frame(server, &frame);
    struct hone_wire wire = reader(&frame, &arena);
    hone_wire_compile_open(&wire, &open);
    if (frame.type != HONE_COMPILE_OPEN || wire.failed) _exit(GARBAGE);
    struct hone_compile_ready *ready = &server->ready;
    memcpy(ready->version, HONE_VERSION, sizeof HONE_VERSION);
    if (open.library &&
        hone_compiler_new(&server->compiler, open.library, 0, &err) != HONE_OK)
        snprintf(ready->failure, sizeof ready->failure, "%.399s", err.text);
    // Headers are given in memory: nothing is readable.
    const struct hone_box_rules rules = {.data_bytes = open.data_bytes};
    hone_box_enter(&ready->box, &rules);
    hone_strbuf_clear(&server->input);
    hone_arena_fini(&arena);
}

static void send_ready(struct server *server)
{
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    struct hone_wire wire = {.out = &bytes};
    hone_wire_compile_ready(&wire, &server->ready);
    send(server, HONE_COMPILE_READY, &wire);
    hone_strbuf_fini(&bytes);
}

static void compile(struct server *server, struct hone_compile_answer *answer,
                    const struct hone_build_request *request)
{
    atomic_bool cancel;
    struct hone_error err = {0};
    atomic_init(&cancel, false);
    answer->status = (unsigned)hone_compiler_run(server->compiler, &answer->output,
                                                 request, &cancel, &err);
    if (printed_of_memory(server) && !answer->output.compiled)
        answer->status = HONE_ENOMEM;
    snprintf(answer->failure, sizeof answer->failure, "%.399s", err.text);
}

static void serve_request(struct server *server)
{
    struct hone_frame frame;
    struct hone_arena arena = {0};
    struct hone_build_request request = {0};
    struct hone_compile_answer answer = {0};
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    take_frame(server, &frame);
    struct hone_wire in = reader(&frame, &arena), out = {.out = &bytes};
    hone_wire_compile_request(&in, &request);
    if (in.no_memory) _exit(NO_MEMORY);
    if (frame.type != HONE_COMPILE_REQUEST || in.failed || !server->compiler)
        _exit(GARBAGE);
    compile(server, &answer, &request);
    hone_wire_compile_answer(&out, &answer);
    send(server, HONE_COMPILE_ANSWER, &out);
    hone_output_fini(&answer.output);
    hone_strbuf_fini(&bytes);
    hone_strbuf_clear(&server->input);
    hone_arena_fini(&arena);
}

static void *compile_serve_work(void *argument)
{
    struct server *server = argument;
    send_ready(server);
    for (;;)
        serve_request(server);
    return NULL;
}

// A compile takes some 50 MB and leaves most of them: they stay for the next one, in one
// arena, which grows by far fewer calls of the system than that of a thread.
static void keep_compiler_memory(void)
{
#ifdef __GLIBC__
    enum { STEP_BYTES = 16 << 20, KEPT_BYTES = 128 << 20 };
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, STEP_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
#endif
}

static _Noreturn void serve(void)
{
    struct server server = {.input = HONE_STRBUF_INIT};
    pthread_t thread;
    pthread_attr_t attributes;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "hone-compile");
    keep_compiler_memory();
    signal(SIGPIPE, SIG_IGN);
    take_output(&server);
    open_compiler(&server);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, compile_serve_work, &server) != 0)
        _exit(NO_MEMORY);
    pthread_join(thread, NULL);
    _exit(0);
}

void hone_compile_helper_main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], HONE_COMPILE_WORD) == 0) serve();
    hone_compile_way_self();
}
