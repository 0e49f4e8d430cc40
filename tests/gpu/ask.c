// The frame of questions.c: one process a question, with a limit, and one JSON object an
// answer.
#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "subprocess.h"

extern const unsigned char gpu_questions_source[];

static struct ask the_ask = {.answer = HONE_STRBUF_INIT};
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

static void print_answer(FILE *file, const struct question *question, const char *verdict,
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
    print_answer(stdout, the_question, "cannot run", why);
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

void ask_launch(struct ask *ask, struct ask_call *call)
{
    struct hone_fault fault;
    struct hone_error err = {0};
    call->launch.params = call->params;
    call->launch.param_sizes = call->sizes;
    call->launch.deadline_s = 5;
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

static void begin_field(struct ask *ask, const char *name)
{
    hone_strbuf_printf(&ask->answer, "%s\"%s\":", ask->answer.len ? "," : "", name);
}

void ask_say_text(struct ask *ask, const char *name, const char *text)
{
    begin_field(ask, name);
    hone_strbuf_printf(&ask->answer, "\"%s\"", text);
}

void ask_say(struct ask *ask, const char *name, double value)
{
    begin_field(ask, name);
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

void ask_words(struct ask *ask, const char *name, const uint16_t *words,
               const uint16_t *expected, size_t n)
{
    begin_field(ask, name);
    hone_strbuf_add(&ask->answer, "\"");
    for (size_t i = 0; i < n; i++)
        hone_strbuf_printf(&ask->answer, "%04x", words[i]);
    hone_strbuf_add(&ask->answer, "\"");
    if (!expected) return;
    ask->compared = true;
    if (memcmp(words, expected, n * sizeof *words) == 0) return;
    ask->differs = true;
    char second[64];
    snprintf(second, sizeof second, "%s_expected", name);
    ask_words(ask, second, expected, NULL, n);
}

// This process asks one question, on its standard output.
static int answer_one(const struct question *question, const char *device)
{
    struct ask *ask = &the_ask;
    the_question = question;
    ask->device = device;
    ask->part = question->part;
    ask_reopen(ask, HONE_CLOCK_EVENT);
    question->answer(ask);
    print_answer(stdout, question,
                 !ask->compared ? "measured"
                 : ask->differs ? "differs"
                                : "as expected",
                 NULL);
    return 0;
}

enum verdict { AS_EXPECTED, DIFFERS, MEASURED, CANNOT_RUN, STOPPED, CRASHED, VERDICTS };
static const char *const verdict_names[VERDICTS] = {"as expected", "differs", "measured",
                                                    "cannot run",  "stopped", "crashed"};

static enum verdict verdict_of(const char *line)
{
    for (enum verdict v = 0; v < STOPPED; v++) {
        char field[64];
        snprintf(field, sizeof field, "\"verdict\":\"%s\"", verdict_names[v]);
        if (strstr(line, field)) return v;
    }
    return CRASHED;
}

struct asking {
    const char *program, *device;
    const char *same_as; // a file of answers to compare with; NULL: none
    double limit_s;      // of every question; 0: its own
    FILE *out;
    unsigned tally[VERDICTS], others;
};

// The object of the answer in a line, with its length.
static const char *find_answer(const char *line, size_t *len)
{
    static const char field[] = "\"answer\":{";
    const char *at = strstr(line, field);
    if (!at) return NULL;
    at += sizeof field - 1;
    *len = strcspn(at, "}");
    return at;
}

// Whether the question has another answer in the file; one that has none there agrees.
static bool has_other_answer(const char *path, const char *id, const char *line)
{
    FILE *file = fopen(path, "r");
    char start[64], *kept = NULL;
    size_t cap = 0, len = 0, kept_len = 0;
    bool other = !file;
    const char *answer = find_answer(line, &len);
    snprintf(start, sizeof start, "{\"id\":\"%s\",", id);
    while (file && getline(&kept, &cap, file) > 0) {
        if (strncmp(kept, start, strlen(start)) != 0) continue;
        const char *theirs = find_answer(kept, &kept_len);
        other = verdict_of(kept) <= MEASURED && (!theirs || !answer || len != kept_len ||
                                                 memcmp(answer, theirs, len) != 0);
    }
    free(kept);
    if (file) fclose(file);
    return other;
}

static void take_line(struct asking *asking, const struct question *question,
                      const char *line)
{
    const enum verdict verdict = verdict_of(line);
    const char *why = strstr(line, "\"why\":\"");
    fprintf(asking->out, "%s\n", line);
    fflush(asking->out);
    asking->tally[verdict]++;
    printf("%-20s %s", question->id, verdict_names[verdict]);
    if (why) printf(": %.*s", (int)strcspn(why + 7, "\""), why + 7);
    if (asking->same_as && question->bits && verdict <= MEASURED &&
        has_other_answer(asking->same_as, question->id, line)) {
        printf("; not as in %s", asking->same_as);
        asking->others++;
    }
    printf("\n");
}

// A process of its own, killed at the question's limit.
static void ask_one(struct asking *asking, const struct question *question)
{
    const char *const argv[] = {asking->program, "--ask", question->id, asking->device,
                                NULL};
    const double limit_s = asking->limit_s > 0 ? asking->limit_s : question->limit_s;
    struct hone_subprocess *process = NULL;
    struct hone_error err = {0};
    const char *line = NULL;
    size_t size = 0;
    enum hone_status status = hone_subprocess_start(&process, argv, &err);
    if (status == HONE_OK)
        status = hone_subprocess_read_line(process, &line, &size,
                                           hone_clock_seconds() + limit_s, &err);
    if (status == HONE_OK) {
        take_line(asking, question, line);
    } else {
        const enum verdict verdict = status == HONE_ELIMIT ? STOPPED : CRASHED;
        asking->tally[verdict]++;
        print_answer(asking->out, question, verdict_names[verdict], err.text);
        printf("%-20s %s: %s\n", question->id, verdict_names[verdict], err.text);
    }
    fflush(stdout);
    hone_subprocess_free(process);
}

static int ask_all(struct asking *asking, int argc, char **argv,
                   const struct question *questions, size_t count)
{
    const unsigned *tally = asking->tally;
    asking->out = fopen(argv[0], "w");
    if (!asking->out) {
        fprintf(stderr, "hone_questions: '%s' cannot be written\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < count; i++) {
        bool wanted = argc == 1;
        for (int a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], questions[i].id) == 0;
        if (wanted) ask_one(asking, &questions[i]);
    }
    const bool written = fclose(asking->out) == 0;
    for (enum verdict v = 0; v < VERDICTS; v++)
        printf("%s%u %s", v ? ", " : "", tally[v], verdict_names[v]);
    printf("\n");
    return !written || asking->others || tally[STOPPED] + tally[CRASHED] > 0;
}

static int list(const struct question *questions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s (%.0f s)\n  %s\n  expected: %s\n", questions[i].id,
               questions[i].limit_s, questions[i].text, questions[i].expected);
    return 0;
}

int ask_main(int argc, char **argv, const struct question *questions, size_t count)
{
    struct asking asking = {.program = "/proc/self/exe", .device = "cuda:0"};
    if (argc == 4 && strcmp(argv[1], "--ask") == 0)
        for (size_t i = 0; i < count; i++)
            if (strcmp(argv[2], questions[i].id) == 0)
                return answer_one(&questions[i], argv[3]);
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list(questions, count);
    int at = 1;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--device") == 0)
            asking.device = argv[at + 1];
        else if (strcmp(argv[at], "--same-as") == 0)
            asking.same_as = argv[at + 1];
        else if (strcmp(argv[at], "--limit") == 0)
            asking.limit_s = atof(argv[at + 1]);
        else
            break;
    }
    if (at < argc && argv[at][0] != '-')
        return ask_all(&asking, argc - at, argv + at, questions, count);
    fprintf(stderr, "usage: hone_questions [--device DEVICE] [--limit SECONDS] "
                    "[--same-as FILE] FILE [QUESTION...]\n"
                    "       hone_questions --list\n");
    return 2;
}
