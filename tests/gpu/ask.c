// What a question asks with: its device, kernels, buffers, and an answer that grows to one
// JSON object. answers.c starts a process for each.
#include "ask.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "answers.h"
#include "heat.h"

extern const unsigned char gpu_questions_source[];

static struct ask the_ask = {.answer = HONE_STRBUF_INIT, .instead_of = HONE_STRBUF_INIT};
static const struct question *the_question;

// Quotes and backslashes are what our texts and those of the driver may hold.
static void print_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putc('\\', file);
        putc((unsigned char)*text < ' ' ? ' ' : *text, file);
    }
    putc('"', file);
}

static void print_field(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\":", name);
    print_text(file, text);
}

void ask_print(FILE *file, const struct question *question, const char *verdict,
               const char *why)
{
    const struct ask *ask = &the_ask;
    char date[16];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    putc('{', file);
    print_field(file, "id", question->id);
    fprintf(file, ",");
    print_field(file, "question", question->text);
    fprintf(file, ",");
    print_field(file, "expected", question->expected);
    fprintf(file, ",\"answer\":{%s},", ask->answer.data);
    if (ask->instead_of.len) fprintf(file, "\"instead_of\":{%s},", ask->instead_of.data);
    print_field(file, "verdict", verdict);
    fprintf(file, ",");
    if (why) print_field(file, "why", why);
    if (why) fprintf(file, ",");
    print_field(file, "gpu", ask->gpu);
    fprintf(file, ",");
    print_field(file, "driver", ask->driver);
    fprintf(file, ",");
    print_field(file, "date", date);
    fprintf(file, "}\n");
    fflush(file);
}

void ask_cannot(const char *format, ...)
{
    char why[512];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    ask_print(stdout, the_question, "cannot run", why);
    exit(0);
}

_Noreturn static void ask_unsuited(const char *entry)
{
    char why[256];
    snprintf(why, sizeof why, "'%s' has instructions of sm_90a, this is %s", entry,
             the_ask.dev->limits.arch);
    ask_print(stdout, the_question, "not for this GPU", why);
    exit(0);
}

static void ask_must(enum hone_status status, const struct hone_error *err)
{
    if (status != HONE_OK) ask_cannot("%s", err->text);
}

bool ask_reopen(struct ask *ask, enum hone_clock clock)
{
    struct hone_error err = {0};
    hone_device_close(ask->dev);
    ask->dev = NULL;
    const bool choice = strncmp(ask->device, "cuda", 4) == 0;
    const enum hone_status status = hone_device_open_by(
        &ask->dev, ask->device, choice ? clock : HONE_CLOCK_NONE, &err);
    if (status == HONE_ENODEVICE && clock != HONE_CLOCK_EVENT) return false;
    ask_must(status, &err);
    snprintf(ask->gpu, sizeof ask->gpu, "%s", ask->dev->limits.name);
    snprintf(ask->driver, sizeof ask->driver, "%s", ask->dev->driver);
    return true;
}

// All kernels of a part come from one build, in the first call.
static void ask_build(struct ask *ask, const char *entry)
{
    if (strcmp(ask->part, "ASK_GENERAL") != 0 && atoi(ask->dev->limits.arch + 3) < 90)
        ask_unsuited(entry);
    char define[64];
    const char *const options[] = {define};
    const struct hone_build_request request = {
        .source = (const char *)gpu_questions_source,
        .source_name = "questions.cu",
        .entry = entry,
        .arch = ask->dev->limits.arch,
        .options = options,
        .option_count = 1,
    };
    struct hone_error err = {0};
    uint64_t ticket = 0;
    snprintf(define, sizeof define, "-D%s", ask->part);
    const struct hone_builder_options one = {.threads = 1};
    ask_must(hone_builder_new(&ask->builder, &one, &err), &err);
    ask_must(hone_builder_submit(ask->builder, &request, &ticket, &err), &err);
    ask_must(hone_builder_take(ask->builder, ticket, &ask->build, &err), &err);
    if (ask->build->outcome != HONE_VALID) ask_cannot("%s", ask->build->reason);
}

struct ask_call ask_kernel(struct ask *ask, const char *entry, uint32_t grid,
                           uint32_t block, uint32_t shared_bytes)
{
    struct ask_call call = {.launch = {.grid = {grid, 1, 1},
                                       .block = {block, 1, 1},
                                       .shared_bytes = shared_bytes}};
    struct hone_error err = {0};
    struct hone_fault fault;
    if (!ask->build) ask_build(ask, entry);
    ask_must(ask->dev->fns->load(ask->dev, ask->build, entry, &call.module, &fault, &err),
             &err);
    if (fault.outcome != HONE_VALID) ask_cannot("%s: %s", entry, fault.reason);
    return call;
}

void ask_argument(struct ask_call *call, const void *value, size_t size)
{
    call->params[call->launch.param_count] = value;
    call->sizes[call->launch.param_count++] = size;
}

// Where time is asked for, clocks are raised; a GPU that was used just now has them.
static void raise_clocks(struct ask *ask)
{
    if (the_question->bits || ask->dev->clock == HONE_CLOCK_EMULATED) return;
    hone_cuda_heat(ask->dev);
    hone_cuda_stay_hot(ask->dev);
}

void ask_launch(struct ask *ask, struct ask_call *call)
{
    struct hone_fault fault;
    struct hone_error err = {0};
    call->launch.params = call->params;
    call->launch.param_sizes = call->sizes;
    call->launch.deadline_s = 5;
    raise_clocks(ask);
    ask_must(ask->dev->fns->launch(ask->dev, call->module, &call->launch, &fault, &err),
             &err);
    if (fault.outcome != HONE_VALID) ask_cannot("%s", fault.reason);
}

double ask_time_us(struct ask *ask, struct ask_call *call, bool warm)
{
    struct hone_timing timing;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_time_policy policy = hone_time_policy_default;
    policy.warm_cache = warm;
    call->launch.params = call->params;
    call->launch.param_sizes = call->sizes;
    ask_must(ask->dev->fns->time(ask->dev, call->module, &call->launch, &policy, &timing,
                                 &fault, &err),
             &err);
    if (fault.outcome != HONE_VALID) ask_cannot("%s", fault.reason);
    return timing.time_us;
}

hone_devptr ask_buffer(struct ask *ask, size_t bytes)
{
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    ask_must(ask->dev->fns->alloc(ask->dev, bytes, &ptr, &err), &err);
    ask_must(ask->dev->fns->fill(ask->dev, ptr, 0, bytes, &err), &err);
    return ptr;
}

void ask_write(struct ask *ask, hone_devptr to, const void *from, size_t bytes)
{
    struct hone_error err = {0};
    ask_must(ask->dev->fns->copy(ask->dev, HONE_TO_DEVICE, to, (void *)(uintptr_t)from,
                                 bytes, &err),
             &err);
}

void ask_read(struct ask *ask, void *to, hone_devptr from, size_t bytes)
{
    struct hone_error err = {0};
    ask_must(ask->dev->fns->copy(ask->dev, HONE_TO_HOST, from, to, bytes, &err), &err);
}

static void begin_field(struct hone_strbuf *object, const char *name)
{
    hone_strbuf_printf(object, "%s\"%s\":", object->len ? "," : "", name);
}

void ask_say_text(struct ask *ask, const char *name, const char *text)
{
    begin_field(&ask->answer, name);
    hone_strbuf_printf(&ask->answer, "\"%s\"", text);
}

void ask_say(struct ask *ask, const char *name, double value)
{
    begin_field(&ask->answer, name);
    if (isfinite(value))
        hone_strbuf_printf(&ask->answer, "%.9g", value);
    else
        hone_strbuf_add(&ask->answer, "null");
}

void ask_expect(struct ask *ask, const char *name, double value, double least,
                double most)
{
    ask_say(ask, name, value);
    ask->compared = true;
    if (!(value >= least && value <= most)) ask->differs = true;
}

static void add_words(struct hone_strbuf *object, const char *name, const uint16_t *words,
                      size_t n)
{
    begin_field(object, name);
    hone_strbuf_add(object, "\"");
    for (size_t i = 0; i < n; i++)
        hone_strbuf_printf(object, "%04x", words[i]);
    hone_strbuf_add(object, "\"");
}

void ask_words(struct ask *ask, const char *name, const uint16_t *words,
               const uint16_t *expected, size_t n)
{
    add_words(&ask->answer, name, words, n);
    if (!expected) return;
    ask->compared = true;
    if (memcmp(words, expected, n * sizeof *words) == 0) return;
    ask->differs = true;
    add_words(&ask->instead_of, name, expected, n);
}

int ask_one(const struct question *question, const char *device)
{
    struct ask *ask = &the_ask;
    // Whoever asked may be killed; a kernel that hangs must not keep the GPU then.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    the_question = question;
    ask->device = device;
    ask->part = question->part;
    ask_reopen(ask, HONE_CLOCK_EVENT);
    question->answer(ask);
    ask_print(stdout, question,
              !ask->compared ? "measured"
              : ask->differs ? "differs"
                             : "as expected",
              NULL);
    return 0;
}
