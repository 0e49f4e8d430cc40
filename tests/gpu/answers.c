// The program of questions.c: starts a process a question, with a limit, writes the answers,
// and holds them against others.
#include "answers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/subprocess.h"

enum { QUESTIONS_MAX = 64, UNANSWERED = 75 };

enum verdict {
    AS_EXPECTED,
    DIFFERS,
    MEASURED,
    UNSUITED,
    CANNOT_RUN,
    STOPPED,
    CRASHED,
    VERDICTS
};
static const char *const verdict_names[VERDICTS] = {
    "as expected", "differs", "measured", "not for this GPU",
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
    unsigned tally[VERDICTS];
    unsigned held, others; // compared with those of the file; other ones than there
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

static bool is_of(const char *line, const char *id)
{
    char start[64];
    snprintf(start, sizeof start, "{\"id\":\"%s\",", id);
    return strncmp(line, start, strlen(start)) == 0;
}

static bool is_settled(const char *line)
{
    return verdict_of(line) <= UNSUITED;
}

// Whether the answers in two lines are the same text.
static bool is_same(const char *a, const char *b)
{
    size_t a_len = 0, b_len = 0;
    const char *x = find_answer(a, &a_len), *y = find_answer(b, &b_len);
    return x && y && a_len == b_len && memcmp(x, y, a_len) == 0;
}

// Hold the answer against the one in the file, where the file has one.
static void hold(struct asking *asking, const struct question *question, const char *line)
{
    FILE *file = fopen(asking->same_as, "r");
    char *kept = NULL;
    size_t cap = 0;
    bool other = !file, held = !file;
    while (file && getline(&kept, &cap, file) > 0) {
        if (!is_of(kept, question->id) || verdict_of(kept) > MEASURED) continue;
        held = true;
        other = !is_same(kept, line);
    }
    free(kept);
    if (file) fclose(file);
    asking->held += held;
    asking->others += other;
    if (other) printf("; not as in %s", asking->same_as);
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
    if (asking->same_as && question->bits && verdict <= MEASURED)
        hold(asking, question, line);
    printf("\n");
}

// A process of its own, killed at the question's limit.
static void start_one(struct asking *asking, const struct question *question)
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
        ask_print(asking->out, question, verdict_names[verdict], err.text);
        printf("%-20s %s: %s\n", question->id, verdict_names[verdict], err.text);
    }
    fflush(stdout);
    hone_subprocess_free(process);
}

struct questions {
    const struct question *items;
    size_t count;
    char **named; // NULL-terminated; none: all are asked
};

static bool is_named(const struct questions *questions, const char *id)
{
    for (char **name = questions->named; *name; name++)
        if (strcmp(*name, id) == 0) return true;
    return false;
}

// The question of a line that stays: it is settled, and nobody asks it by name.
static const struct question *stays(const struct questions *questions, const char *line)
{
    for (size_t i = 0; i < questions->count; i++)
        if (is_of(line, questions->items[i].id))
            return is_settled(line) && !is_named(questions, questions->items[i].id)
                       ? &questions->items[i]
                       : NULL;
    return NULL;
}

// Open the file of answers with what stays of an earlier one; settled[i] tells of which
// questions. The old file is whole until the new one has all of that.
static FILE *open_answers(const char *path, const struct questions *questions,
                          bool *settled, bool anew)
{
    char aside[4096], *line = NULL;
    size_t cap = 0;
    if ((size_t)snprintf(aside, sizeof aside, "%s.new", path) >= sizeof aside)
        return NULL;
    FILE *before = anew ? NULL : fopen(path, "r"), *out = fopen(aside, "w");
    while (before && out && getline(&line, &cap, before) > 0) {
        const struct question *question = stays(questions, line);
        if (!question) continue;
        settled[question - questions->items] = true;
        fputs(line, out);
    }
    free(line);
    if (before) fclose(before);
    if (out && fflush(out) == 0 && rename(aside, path) == 0) return out;
    if (out) fclose(out);
    return NULL;
}

static int tell(const struct asking *asking, const char *path)
{
    const unsigned *tally = asking->tally;
    for (enum verdict v = 0; v < VERDICTS; v++)
        printf("%s%u %s", v ? ", " : "", tally[v], verdict_names[v]);
    printf("\n");
    if (asking->same_as && !asking->held) {
        printf("no answer of %s was held against one of %s\n", path, asking->same_as);
        return 1;
    }
    if (asking->others || tally[STOPPED] + tally[CRASHED]) return 1;
    return tally[CANNOT_RUN] && strncmp(asking->device, "cuda", 4) == 0 ? UNANSWERED : 0;
}

static int ask_all(struct asking *asking, const char *path,
                   const struct questions *questions)
{
    bool settled[QUESTIONS_MAX] = {false};
    asking->out = open_answers(path, questions, settled, asking->same_as != NULL);
    if (!asking->out) {
        fprintf(stderr, "hone_questions: '%s' cannot be written\n", path);
        return 2;
    }
    for (size_t i = 0; i < questions->count; i++) {
        const char *id = questions->items[i].id;
        if (settled[i])
            printf("%-20s answered before\n", id);
        else if (!*questions->named || is_named(questions, id))
            start_one(asking, &questions->items[i]);
    }
    const bool written = fclose(asking->out) == 0;
    const int code = tell(asking, path);
    return written ? code : 1;
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
    assert(count <= QUESTIONS_MAX);
    struct asking asking = {.program = "/proc/self/exe", .device = "cuda:0"};
    if (argc == 4 && strcmp(argv[1], "--ask") == 0)
        for (size_t i = 0; i < count; i++)
            if (strcmp(argv[2], questions[i].id) == 0)
                return ask_one(&questions[i], argv[3]);
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
        return ask_all(&asking, argv[at],
                       &(struct questions){questions, count, argv + at + 1});
    fprintf(stderr, "usage: hone_questions [--device DEVICE] [--limit SECONDS] "
                    "[--same-as FILE] FILE [QUESTION...]\n"
                    "       hone_questions --list\n");
    return 2;
}
