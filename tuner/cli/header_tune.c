// A tuning with a hard end: the process group of `hone tune` is told to end in time, and
// killed when it does not. What it measured by then is in its journal.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/subprocess.h"
#include "header_build.h"

// Of the time, what the search gets; its start and end, finals included, need the rest.
static const double search_share = 0.8;
// Before the end it is asked to stop, so that finals or a trial at hand can still end.
static const double stop_share = 0.92;

enum { WORDS_MAX = 64 };

struct words {
    const char *items[WORDS_MAX + 1];
    size_t count;
};

static void add(struct words *words, const char *word)
{
    if (words->count < WORDS_MAX) words->items[words->count++] = word;
}

static void add_option(struct words *words, const char *name, const char *value)
{
    if (!value) return;
    add(words, name);
    add(words, value);
}

static void add_list(struct words *words, const char *name, const struct cli_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        add_option(words, name, list->items[i]);
}

// What it prints goes where a build's messages go.
static void pass_output(struct hone_subprocess *program, double deadline, bool quiet)
{
    const char *line;
    size_t len;
    while (hone_subprocess_read_line(program, &line, &len, deadline, NULL) == HONE_OK)
        if (!quiet) fprintf(stderr, "hone: %s\n", line);
}

static void finish(struct hone_subprocess *program, double stop_at, double deadline,
                   bool quiet)
{
    char text[128];
    pass_output(program, stop_at, quiet);
    const bool late = hone_clock_seconds() >= stop_at;
    if (late) kill(hone_subprocess_id(program), SIGINT);
    pass_output(program, deadline, quiet);
    const struct hone_exit how = hone_subprocess_stop(program, deadline);
    hone_exit_text(text, sizeof text, how);
    if (how.signalled || (how.code && !late))
        hone_log(HONE_LOG_WARNING, "tuning %s%s", text,
                 how.signalled && late ? " at the end of its time" : "");
}

void build_tune(const struct build_args *args, const char *device, const char *journal,
                double deadline)
{
    const double left = deadline - hone_clock_seconds();
    char self[4096], budget[32];
    struct hone_error err = {0};
    struct hone_subprocess *program = NULL;
    const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    if (len <= 0 || left <= 0) return;
    self[len] = '\0';
    snprintf(budget, sizeof budget, "%.3fs", search_share * left);
    struct words words = {{self, "tune", args->words.items[0], "--quiet"}, 4};
    add_option(&words, "--device", device);
    add_option(&words, "--journal", journal);
    add_option(&words, "--budget", budget);
    add_option(&words, "--strategy", args->strategy);
    add_option(&words, "--problems", args->problems);
    add_list(&words, "--set", &args->script.set);
    add_list(&words, "--templates", &args->script.templates);
    if (args->script.allow_io) add(&words, "--allow-io");
    if (hone_subprocess_start(&program, words.items, &err) == HONE_OK)
        finish(program, deadline - (1 - stop_share) * left, deadline, args->quiet);
    else
        hone_log(HONE_LOG_WARNING, "%s", err.text);
    hone_subprocess_free(program);
}
