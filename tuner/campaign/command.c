// The commands that do a run.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/one_of.h"
#include "base/sink.h"
#include "campaign/attempt.h"
#include "campaign_internal.h"
#include "expr/value_text.h"

void hone_argv_fini(struct hone_argv *argv)
{
    free(argv->items);
    hone_arena_fini(&argv->arena);
    *argv = (struct hone_argv){0};
}

// Room for the NULL behind the words is kept.
void hone_argv_add(struct hone_argv *argv, const char *word)
{
    char *copy = hone_arena_strdup(&argv->arena, word);
    if (!copy || !HONE_GROW(&argv->items, &argv->cap, argv->count + 2, 32)) {
        argv->failed = true;
        return;
    }
    argv->items[argv->count++] = copy;
    argv->items[argv->count] = NULL;
}

static void add_option(struct hone_argv *argv, const char *option, const char *value)
{
    hone_argv_add(argv, option);
    hone_argv_add(argv, value);
}

static void add_problem_sets(struct hone_argv *argv, const struct hone_campaign *campaign,
                             const struct hone_campaign_run *run)
{
    const struct hone_campaign_source *source = &campaign->sources[run->kernel];
    for (size_t i = 0; i < source->name_count; i++) {
        char number[HONE_NUMBER_TEXT];
        char *word = hone_arena_printf(&argv->arena, "%s=%s", source->names[i].name,
                                       hone_value_in_full(number, run->values[i]));
        if (!word) argv->failed = true;
        if (word) add_option(argv, "--set", word);
    }
}

// A size of the problem says what a set of the same name would.
static bool is_size(const struct hone_campaign_source *source, const char *set)
{
    for (size_t i = 0; i < source->name_count; i++) {
        const size_t len = strlen(source->names[i].name);
        if (strncmp(source->names[i].name, set, len) == 0 && set[len] == '=') return true;
    }
    return false;
}

static void add_sets(struct hone_argv *argv, const struct hone_campaign *campaign,
                     const struct hone_campaign_run *run)
{
    const struct hone_campaign_kernel *kernel = &campaign->def->kernels[run->kernel];
    for (size_t i = 0; i < kernel->set_count; i++)
        if (!is_size(&campaign->sources[run->kernel], kernel->set[i]))
            add_option(argv, "--set", kernel->set[i]);
    add_problem_sets(argv, campaign, run);
}

static void add_texts(struct hone_argv *argv, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hone_argv_add(argv, texts[i]);
}

// The journal of the run before, where that found something.
static void add_warm(struct hone_argv *argv, const struct hone_campaign *campaign,
                     const struct hone_campaign_run *run)
{
    if (run->after == HONE_RUN_NONE) return;
    const struct hone_campaign_run *before = &campaign->runs[run->after];
    struct hone_run_figures figures;
    if (hone_run_figures_read(&figures, before, NULL) == HONE_ENOMEM) argv->failed = true;
    if (!figures.valid) return;
    char *path = hone_run_file(before, HONE_RUN_JOURNAL);
    if (!path) argv->failed = true;
    if (path) add_option(argv, "--warm", path);
    free(path);
}

enum hone_status hone_run_command(struct hone_argv *out, const char *program,
                                  const struct hone_campaign *campaign, size_t number,
                                  const char *device, bool resumes,
                                  struct hone_error *err)
{
    const struct hone_campaign_run *run = &campaign->runs[number];
    const struct hone_campaign_def *def = campaign->def;
    const struct hone_campaign_kernel *kernel = &def->kernels[run->kernel];
    char *journal = hone_run_file(run, HONE_RUN_JOURNAL);
    char seed[32];
    snprintf(seed, sizeof seed, "%" PRIu64, run->seed);
    hone_argv_add(out, program);
    hone_argv_add(out, "tune");
    hone_argv_add(out, campaign->sources[run->kernel].script);
    add_option(out, "--device", device);
    add_sets(out, campaign, run);
    add_option(out, "--budget", kernel->budget ? kernel->budget : def->budget);
    add_option(out, "--seed", seed);
    if (campaign->strategy) add_option(out, "--strategy", campaign->strategy);
    add_texts(out, def->options, def->option_count);
    add_texts(out, kernel->options, kernel->option_count);
    if (!journal) out->failed = true;
    if (journal) add_option(out, "--journal", journal);
    if (resumes) hone_argv_add(out, "--resume");
    hone_argv_add(out, "--quiet");
    add_warm(out, campaign, run); // last: it takes all words up to the next option
    free(journal);
    return out->failed ? hone_no_memory(err, "for the command of a run") : HONE_OK;
}

enum hone_status hone_run_own_command(struct hone_argv *out, const char *program,
                                      const struct hone_campaign *campaign, size_t run,
                                      struct hone_error *err)
{
    hone_argv_add(out, program);
    hone_argv_add(out, "campaign");
    hone_argv_add(out, "run");
    hone_argv_add(out, campaign->path);
    add_option(out, "--run", campaign->runs[run].id);
    if (campaign->allow_io) hone_argv_add(out, "--allow-io");
    return out->failed ? hone_no_memory(err, "for the command of a run") : HONE_OK;
}

void hone_argv_text(struct hone_strbuf *out, const struct hone_argv *argv)
{
    for (size_t i = 0; i < argv->count; i++) {
        if (i) hone_strbuf_add(out, " ");
        hone_sink_shell(out, argv->items[i]);
    }
}
