#include "tuning_options.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tuning/target.h"

enum { DEFAULT_BUDGET = 200, DEFAULT_DRIFT = 50, DEFAULT_TIMEOUT = 60 };

// A copy in the arena; *complete turns false when memory runs out.
static const char *copy_text(struct hone_arena *arena, const char *text, bool *complete)
{
    const char *copy = hone_arena_strdup(arena, text);
    if (text && !copy) *complete = false;
    return copy;
}

static const char *const *copy_texts(struct hone_arena *arena, const char *const *texts,
                                     size_t count, bool *complete)
{
    const char **copy = hone_arena_array(arena, count, sizeof *copy);
    if (!copy) *complete = false;
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = copy_text(arena, texts[i], complete);
    return copy;
}

static const struct hone_script_set *copy_set(struct hone_arena *arena,
                                              const struct hone_script_set *set,
                                              size_t count, bool *complete)
{
    struct hone_script_set *copy = hone_arena_array(arena, count, sizeof *copy);
    if (!copy) *complete = false;
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = (struct hone_script_set){copy_text(arena, set[i].name, complete),
                                           copy_text(arena, set[i].value, complete)};
    return copy;
}

static enum hone_status copy_pointers(struct hone_tuning_options *o,
                                      struct hone_arena *arena, struct hone_error *err)
{
    bool complete = true;
    const char **const texts[] = {&o->script,
                                  &o->device,
                                  &o->problems,
                                  &o->strategy,
                                  &o->program,
                                  &o->journal,
                                  &o->calibrate,
                                  &o->builder.nvrtc_path,
                                  &o->builder.cache_folder};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = copy_text(arena, *texts[i], &complete);
    o->set = copy_set(arena, o->set, o->set_count, &complete);
    o->template_path =
        copy_texts(arena, o->template_path, o->template_path_count, &complete);
    o->warm = copy_texts(arena, o->warm, o->warm_count, &complete);
    o->workers = copy_texts(arena, o->workers, o->worker_count, &complete);
    return complete ? HONE_OK : hone_no_memory(err, "for options");
}

static void put_defaults(struct hone_tuning_options *o)
{
    if (!o->device) o->device = "auto";
    if (!o->strategy) o->strategy = "portfolio";
    if (!(o->strategy_timeout_s > 0)) o->strategy_timeout_s = DEFAULT_TIMEOUT;
    if (!o->seed && !o->any_seed) o->seed = 1;
    if (!o->evaluations) o->evaluations = o->seconds > 0 ? UINT64_MAX : DEFAULT_BUDGET;
    if (!o->drift_every)
        o->drift_every = DEFAULT_DRIFT;
    else if (o->drift_every == UINT64_MAX)
        o->drift_every = 0;
}

// Has a name that a tuning of such a script gives: sgemm-emu_h200.jsonl.
static bool is_journal_of(const char *file, const char *stem, size_t stem_len)
{
    const char *dot = strrchr(file, '.');
    return strncmp(file, stem, stem_len) == 0 && file[stem_len] == '-' && dot &&
           strcmp(dot, ".jsonl") == 0;
}

// Which journals of the script lie in the working folder: the first in order is named.
static enum hone_status fail_no_journal(const char *script, struct hone_error *err)
{
    const char *stem = script ? hone_path_base(script) : "";
    char first[256] = "";
    size_t count = 0;
    struct dirent **files = NULL;
    // a tuning from a recording has no script whose name its journal would have
    const int all = script ? scandir(".", &files, NULL, alphasort) : 0;
    for (int i = 0; i < all; i++) {
        if (is_journal_of(files[i]->d_name, stem, strcspn(stem, ".")) && !count++)
            snprintf(first, sizeof first, "%s", files[i]->d_name);
        free(files[i]);
    }
    free(files);
    if (count > 1)
        return hone_fail(err, HONE_EUSAGE,
                         "--resume needs --journal FILE to go on with: '%s' is here, and "
                         "%zu more",
                         first, count - 1);
    return hone_fail(err, HONE_EUSAGE,
                     "--resume needs --journal FILE to go on with%s%s%s",
                     count ? ": '" : "", first, count ? "' is here" : "");
}

static enum hone_status check_options(const struct hone_tuning_options *o,
                                      struct hone_error *err)
{
    const bool replay = hone_replay_path(o) != NULL;
    if (!replay && !o->script) return hone_fail(err, HONE_EUSAGE, "no script to tune");
    if (replay && o->script)
        return hone_fail(err, HONE_EUSAGE, "'%s' is one argument too many", o->script);
    if (replay && o->objective)
        return hone_fail(err, HONE_EUSAGE, "a recording keeps its own objective");
    if (replay && o->calibrate)
        return hone_fail(err, HONE_EUSAGE, "--calibrate is for emulated devices");
    if (replay && o->problems)
        return hone_fail(err, HONE_EUSAGE, "--problems is for a script, not a replay");
    if (o->resume && !o->journal) return fail_no_journal(o->script, err);
    return HONE_OK;
}

enum hone_status hone_tuning_options_copy(struct hone_tuning_options *out,
                                          struct hone_arena *arena,
                                          const struct hone_tuning_options *options,
                                          struct hone_error *err)
{
    *out = *options;
    put_defaults(out);
    enum hone_status status = check_options(out, err);
    return status == HONE_OK ? copy_pointers(out, arena, err) : status;
}
