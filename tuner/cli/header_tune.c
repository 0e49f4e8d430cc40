// The tuning of a build: over in time, and its summary goes where a build's messages go.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "commands.h"
#include "header_build.h"
#include "interrupt.h"
#include "tune.h"
#include "tuning/bounded.h"

static struct tune_args make_args(const struct build_args *args, const char *device,
                                  const char *journal)
{
    struct tune_args tune = *(const struct tune_args *)cli_tune.defaults;
    tune.words = args->words;
    tune.script = args->script;
    tune.script.device = device;
    tune.tuning.journal = journal;
    tune.tuning.problems = args->problems;
    if (args->strategy) tune.tuning.strategy = args->strategy;
    tune.quiet = true;
    return tune;
}

static void print_lines(const char *text)
{
    while (*text) {
        const size_t len = strcspn(text, "\n");
        fprintf(stderr, "hone: %.*s\n", (int)len, text);
        text += len + (text[len] != '\0');
    }
}

// The summary in memory; where there is none of that, nowhere.
static enum hone_status run_tuning(const struct tune_args *args,
                                   const struct hone_tuning_options *options, bool quiet,
                                   struct hone_error *err)
{
    char *text = NULL;
    size_t size;
    struct tune tune = {.args = args, .file = open_memstream(&text, &size)};
    tune.silent = !tune.file;
    enum hone_status status = tune_run(&tune, options, err);
    tune_close(&tune);
    if (tune.file && fclose(tune.file) == 0 && !quiet) print_lines(text);
    free(text);
    return status;
}

static void warn(const struct hone_error *why)
{
    if (why->source[0] && why->line)
        hone_log(HONE_LOG_WARNING, "tuning failed: %s:%d: %s", why->source, why->line,
                 why->text);
    else if (why->source[0])
        hone_log(HONE_LOG_WARNING, "tuning failed: %s: %s", why->source, why->text);
    else
        hone_log(HONE_LOG_WARNING, "tuning failed: %s", why->text);
}

enum hone_status build_tune(const struct build_args *args, const char *device,
                            const char *journal, double deadline, struct hone_error *err)
{
    const struct tune_args tune = make_args(args, device, journal);
    struct tune_options options;
    struct hone_alarm *alarm = NULL;
    struct hone_error why = {0};
    enum hone_status status = tune_options_make(&options, &tune, &why);
    if (status == HONE_OK)
        status = hone_tuning_bound(&alarm, &options.options, deadline, &why);
    if (status == HONE_OK)
        status = run_tuning(&tune, &options.options, args->quiet, &why);
    if (status != HONE_OK && status != HONE_ECANCELLED) warn(&why);
    hone_alarm_free(alarm);
    tune_options_fini(&options);
    return *cli_interrupt_flag() ? hone_fail(err, HONE_ECANCELLED, "interrupted")
                                 : HONE_OK;
}
