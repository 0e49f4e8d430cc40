// The tuner's side of a helper. One loop waits for a frame and meanwhile looks, fifty
// times a second, whether the build was cancelled and what the helper takes.
#define _GNU_SOURCE // prlimit
#include "compile_helper.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/box.h"
#include "base/c_text.h"
#include "base/clock.h"
#include "base/subprocess.h"
#include "compile_message.h"
#include "hone/version.h"

static const double look_every_s = 0.02;
static const double write_s = 30; // it reads whenever it does not compile
static const double start_s = 60; // of a library on a slow disk
static const double end_s = 1;    // from a closed output to its exit status

enum fate {
    FATE_WELL,
    FATE_CANCELLED,
    FATE_ENDED,
    FATE_LATE,
    FATE_GREW,
    FATE_NONSENSE,
    FATE_NO_MEMORY // of ours
};

// --- looking at it ---

// Bytes of memory that it holds, 0 when that cannot be told.
static uint64_t resident_bytes(const struct hone_compile_helper *helper)
{
    char path[64];
    unsigned long long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", hone_subprocess_id(helper->program));
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fscanf(file, "%*u %llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Its share of CPU time ends a while after the time that we give it, should we not be
// there to end it. Set from outside: it cannot lift the limit.
static int limit_cpu(const struct hone_compile_helper *helper)
{
    clockid_t clock;
    struct timespec used = {0};
    const pid_t id = hone_subprocess_id(helper->program);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (clock_getcpuclockid(id, &clock) == 0) clock_gettime(clock, &used);
    const double seconds = helper->way->seconds * (double)(cores > 0 ? cores : 1) + 60;
    const struct rlimit limit = {.rlim_cur = (rlim_t)used.tv_sec + (rlim_t)seconds,
                                 .rlim_max = RLIM_INFINITY};
    return prlimit(id, RLIMIT_CPU, &limit, NULL) == 0 ? 0 : errno;
}

static enum fate look(const struct hone_compile_helper *helper, const atomic_bool *cancel,
                      double deadline)
{
    if (atomic_load(cancel)) return FATE_CANCELLED;
    if (resident_bytes(helper) > helper->way->memory_bytes) return FATE_GREW;
    return hone_clock_seconds() > deadline ? FATE_LATE : FATE_WELL;
}

// --- frames ---

// The next frame, which stays until the helper is asked for more. why: of nonsense.
static enum fate wait_frame(const struct hone_compile_helper *helper,
                            struct hone_frame *frame, const atomic_bool *cancel,
                            double deadline, struct hone_error *why)
{
    for (;;) {
        const char *data;
        size_t used;
        const size_t size = hone_subprocess_peek(helper->program, &data);
        if (hone_frame_parse(frame, &used, data, size, why) != HONE_OK)
            return FATE_NONSENSE;
        if (used) {
            hone_subprocess_skip(helper->program, used);
            return FATE_WELL;
        }
        if (hone_subprocess_lacks_memory(helper->program)) return FATE_NO_MEMORY;
        if (hone_subprocess_is_closed(helper->program)) return FATE_ENDED;
        hone_subprocess_poll(&helper->program, 1, hone_clock_seconds() + look_every_s);
        const enum fate fate = look(helper, cancel, deadline);
        if (fate != FATE_WELL) return fate;
    }
}

static enum fate send(const struct hone_compile_helper *helper,
                      enum hone_compile_type type, struct hone_wire *wire)
{
    struct hone_strbuf frame = HONE_STRBUF_INIT;
    enum fate fate = FATE_NO_MEMORY;
    hone_frame_write(&frame, (uint8_t)type, wire->out->data, wire->out->len);
    if (!wire->failed && !wire->out->failed && !frame.failed) {
        const enum hone_status status = hone_subprocess_write(
            helper->program, frame.data, frame.len, hone_clock_seconds() + write_s, NULL);
        fate = status == HONE_OK       ? FATE_WELL
               : status == HONE_ELIMIT ? FATE_LATE
                                       : FATE_ENDED;
    }
    hone_strbuf_fini(&frame);
    return fate;
}

// Whether the frame is of this type and read to its end.
static enum fate read_end(const struct hone_wire *wire, bool expected,
                          struct hone_error *why)
{
    if (wire->no_memory) return FATE_NO_MEMORY;
    if (expected && !wire->failed && wire->at == wire->end) return FATE_WELL;
    hone_fail(why, HONE_EINPUT, "%s",
              expected ? "a message with wrong contents" : "a message out of turn");
    return FATE_NONSENSE;
}

static struct hone_wire reader(const struct hone_frame *frame, struct hone_arena *arena)
{
    return (struct hone_wire){.reading = true,
                              .at = frame->data,
                              .end = frame->data + frame->size,
                              .arena = arena};
}

// --- starting ---

static enum fate send_open(const struct hone_compile_helper *helper)
{
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    struct hone_wire wire = {.out = &bytes};
    const uint64_t memory = helper->way->memory_bytes;
    // Half as much again: what we see is what it holds, which is less than it asked for.
    struct hone_compile_open open = {.version = HONE_VERSION,
                                     .library = helper->way->library,
                                     .data_bytes = memory + memory / 2};
    hone_wire_compile_open(&wire, &open);
    const enum fate fate = send(helper, HONE_COMPILE_OPEN, &wire);
    hone_strbuf_fini(&bytes);
    return fate;
}

static enum fate hear_ready(const struct hone_compile_helper *helper,
                            struct hone_compile_ready *ready, const atomic_bool *cancel,
                            struct hone_error *why)
{
    struct hone_frame frame;
    struct hone_arena arena = {0};
    enum fate fate =
        wait_frame(helper, &frame, cancel, hone_clock_seconds() + start_s, why);
    if (fate != FATE_WELL) return fate;
    struct hone_wire wire = reader(&frame, &arena);
    hone_wire_compile_ready(&wire, ready);
    fate = read_end(&wire, frame.type == HONE_COMPILE_READY, why);
    hone_arena_fini(&arena);
    return fate;
}

static void tell_own_parts(struct hone_compile_helper *helper)
{
    struct hone_box *box = &helper->box;
    const int failed = limit_cpu(helper);
    box->why[HONE_BOX_PROCESS][0] = box->why[HONE_BOX_TIME][0] = '\0';
    snprintf(box->why[HONE_BOX_CPU], HONE_BOX_WHY_MAX, "%s",
             failed ? hone_errno_text(failed) : "");
}

void hone_compile_helper_fini(struct hone_compile_helper *helper)
{
    hone_subprocess_free(helper->program);
    helper->program = NULL;
}

// how: its end, as hone_exit_text has it.
static void end_helper(struct hone_compile_helper *helper, enum fate fate, char how[80])
{
    const double patience_s = fate == FATE_ENDED ? end_s : 0;
    hone_exit_text(
        how, 80,
        hone_subprocess_stop(helper->program, hone_clock_seconds() + patience_s));
    hone_compile_helper_fini(helper);
}

static enum hone_status fail_start(struct hone_compile_helper *helper, enum fate fate,
                                   const struct hone_error *why, struct hone_error *err)
{
    char how[80];
    end_helper(helper, fate, how);
    if (fate == FATE_CANCELLED)
        return hone_fail(err, HONE_ECANCELLED, "the build was cancelled");
    if (fate == FATE_NO_MEMORY) return hone_no_memory(err, "starting a compile helper");
    return hone_fail(err, HONE_EBUILD,
                     "the compile helper '%s' %s before it was ready%s%s; without "
                     "one " HONE_COMPILER_HELPER "= compiles in this process",
                     helper->way->program, fate == FATE_ENDED ? how : "was ended",
                     why->text[0] ? ": " : "", why->text);
}

static enum hone_status open_helper(struct hone_compile_helper *helper,
                                    const atomic_bool *cancel, struct hone_error *err)
{
    struct hone_compile_ready ready = {0};
    struct hone_error why = {0};
    enum fate fate = send_open(helper);
    // One that no longer reads may have said why.
    if (fate == FATE_WELL || fate == FATE_ENDED)
        fate = hear_ready(helper, &ready, cancel, &why);
    if (fate == FATE_WELL && strcmp(ready.version, HONE_VERSION) != 0) {
        hone_fail(&why, HONE_EINPUT, "it is of version %s, not " HONE_VERSION,
                  ready.version);
        fate = FATE_NONSENSE;
    }
    if (fate == FATE_WELL && ready.failure[0]) {
        hone_fail(&why, HONE_EINPUT, "%s", ready.failure);
        fate = FATE_NONSENSE;
    }
    if (fate != FATE_WELL) return fail_start(helper, fate, &why, err);
    helper->box = ready.box;
    tell_own_parts(helper);
    return HONE_OK;
}

enum hone_status hone_compile_helper_start(struct hone_compile_helper *helper,
                                           atomic_bool *cancel, struct hone_error *err)
{
    if (helper->program) return HONE_OK;
    const char *const argv[] = {helper->way->program, HONE_COMPILE_WORD, NULL};
    const char *verbose = getenv("HONE_VERBOSE");
    const struct hone_subprocess_options options = {
        .environment = helper->way->environment, .quiet = !verbose || !*verbose};
    enum hone_status status =
        hone_subprocess_start_with(&helper->program, argv, &options, err);
    return status == HONE_OK ? open_helper(helper, cancel, err) : status;
}

// --- compiling ---

static enum fate send_request(const struct hone_compile_helper *helper,
                              const struct hone_build_request *request)
{
    struct hone_arena arena = {0};
    struct hone_strbuf bytes = HONE_STRBUF_INIT;
    struct hone_wire wire = {.out = &bytes, .arena = &arena};
    struct hone_build_request copy = *request;
    hone_wire_compile_request(&wire, &copy);
    const enum fate fate = send(helper, HONE_COMPILE_REQUEST, &wire);
    hone_strbuf_fini(&bytes);
    hone_arena_fini(&arena);
    return fate;
}

static enum fate hear_answer(const struct hone_compile_helper *helper,
                             struct hone_compile_answer *answer,
                             const atomic_bool *cancel, struct hone_error *why)
{
    struct hone_frame frame;
    struct hone_arena arena = {0};
    enum fate fate = wait_frame(helper, &frame, cancel,
                                hone_clock_seconds() + helper->way->seconds, why);
    if (fate != FATE_WELL) return fate;
    struct hone_wire wire = reader(&frame, &arena);
    hone_wire_compile_answer(&wire, answer);
    fate = read_end(&wire, frame.type == HONE_COMPILE_ANSWER, why);
    hone_arena_fini(&arena);
    return fate;
}

static void bytes_text(char *out, size_t size, uint64_t bytes)
{
    const bool large = bytes >= (uint64_t)1 << 30;
    hone_snprintf(out, size, "%.4g %s", (double)bytes / (large ? 1 << 30 : 1 << 20),
                  large ? "GiB" : "MiB");
}

// What became of the compiler, as the reason of a configuration.
static void fate_text(char *out, size_t size, enum fate fate,
                      const struct hone_compile_way *way, const char *how,
                      const char *why)
{
    char memory[32];
    bytes_text(memory, sizeof memory, way->memory_bytes);
    if (fate == FATE_GREW)
        snprintf(out, size,
                 "the compiler was killed: over %s of memory; " HONE_COMPILE_MEMORY
                 " allows more",
                 memory);
    else if (fate == FATE_LATE)
        hone_snprintf(out, size,
                      "the compiler was killed: no end within %g s; " HONE_COMPILE_TIME
                      " allows more",
                      way->seconds);
    else if (fate == FATE_NONSENSE)
        snprintf(out, size, "the compiler was killed: its answer is nonsense: %.200s",
                 why);
    else
        snprintf(out, size, "the compiler crashed: it %s", how);
}

// A result that tells why there is none.
static enum hone_status compile_helper_give_up(struct hone_output *out, const char *text,
                                               struct hone_error *err)
{
    hone_output_fini(out);
    snprintf(out->failure, sizeof out->failure, "%s", text);
    out->log = strdup(text);
    if (!out->log) return hone_no_memory(err, "for a build's log");
    out->log_size = strlen(out->log);
    return HONE_OK;
}

static enum hone_status compile_helper_lost(struct hone_compile_helper *helper,
                                            struct hone_output *out, enum fate fate,
                                            const struct hone_error *why,
                                            struct hone_error *err)
{
    char how[80], text[HONE_REASON_MAX];
    end_helper(helper, fate, how);
    hone_output_fini(out);
    if (fate == FATE_CANCELLED)
        return hone_fail(err, HONE_ECANCELLED, "the build was cancelled");
    if (fate == FATE_NO_MEMORY) return hone_no_memory(err, "for a build");
    fate_text(text, sizeof text, fate, helper->way, how, why->text);
    return compile_helper_give_up(out, text, err);
}

// The compiler failed by itself: it may not be trusted with another source.
static enum hone_status own_failure(struct hone_compile_helper *helper,
                                    struct hone_output *out,
                                    const struct hone_compile_answer *answer,
                                    struct hone_error *err)
{
    char memory[32], text[HONE_REASON_MAX];
    hone_compile_helper_fini(helper);
    bytes_text(memory, sizeof memory, helper->way->memory_bytes);
    if (answer->status == HONE_ENOMEM)
        snprintf(
            text, sizeof text,
            "the compiler ran out of memory, of which it gets %s; " HONE_COMPILE_MEMORY
            " allows more",
            memory);
    else
        snprintf(text, sizeof text, "%s", answer->failure);
    return compile_helper_give_up(out, text, err);
}

enum hone_status hone_compile_helper_run(struct hone_compile_helper *helper,
                                         struct hone_output *out,
                                         const struct hone_build_request *request,
                                         atomic_bool *cancel, struct hone_error *err)
{
    *out = (struct hone_output){0};
    struct hone_compile_answer answer = {0};
    struct hone_error why = {0};
    enum hone_status status = hone_compile_helper_start(helper, cancel, err);
    if (status != HONE_OK) return status;
    limit_cpu(helper);
    enum fate fate = send_request(helper, request);
    if (fate == FATE_WELL || fate == FATE_ENDED)
        fate = hear_answer(helper, &answer, cancel, &why);
    *out = answer.output;
    if (fate != FATE_WELL) return compile_helper_lost(helper, out, fate, &why, err);
    return answer.status == HONE_OK ? HONE_OK : own_failure(helper, out, &answer, err);
}

enum hone_status hone_compile_box(struct hone_box *box, struct hone_error *err)
{
    atomic_bool cancel;
    struct hone_compile_way way;
    struct hone_compile_helper helper = {.way = &way};
    atomic_init(&cancel, false);
    hone_box_init(box, "unknown");
    enum hone_status status = hone_compile_way_init(&way, NULL, false, err);
    if (status == HONE_OK && way.program)
        status = hone_compile_helper_start(&helper, &cancel, err);
    if (status == HONE_OK && way.program)
        *box = helper.box;
    else if (status == HONE_OK)
        hone_box_init(box, way.why);
    hone_compile_helper_fini(&helper);
    hone_compile_way_fini(&way);
    return status;
}
