// Where the trials of hone tune come from and where they go: the target and the journal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "interrupt.h"
#include "tune.h"
#include "tuning/parts.h"
#include "tuning/warm_files.h"

enum { JOURNAL_NAMES_MAX = 10000, BEGUN_MOST = 2 };

const char *tune_replay_path(const struct tune_args *args)
{
    static const char prefix[] = "replay:";
    const size_t len = sizeof prefix - 1;
    return strncmp(args->script.device, prefix, len) == 0 ? args->script.device + len
                                                          : NULL;
}

static enum hone_status open_replay(struct tune *tune, const char *path,
                                    struct hone_error *err)
{
    const struct hone_recording *part = NULL;
    enum hone_status status = hone_recording_load_noted(&tune->recording, path, err);
    struct hone_script_set *set = NULL;
    char *text = NULL;
    if (status == HONE_OK)
        status = cli_sets_split(&set, &text, &tune->args->script.set, err);
    if (status == HONE_OK)
        status =
            hone_part_of(&part, tune->recording, set, tune->args->script.set.count, err);
    free(set);
    free(text);
    if (status != HONE_OK) return status;
    tune->space = hone_recording_space(part);
    tune->info = *hone_recording_info(part);
    tune->info.problems_count = 0;
    tune->info.complete = false;
    tune->predicts =
        tune->info.objective && strcmp(tune->info.objective, "predicted_us") == 0;
    return hone_evaluator_replay(&tune->evaluator, part, err);
}

enum hone_status tune_open_target(struct tune *tune, struct hone_error *err)
{
    const char *path = tune_replay_path(tune->args);
    return path ? open_replay(tune, path, err) : tune_open_script(tune, err);
}

// A name in the working folder that does not exist yet: sgemm-cuda_0.jsonl,
// sgemm-cuda_0-2.jsonl.
static enum hone_status free_name(struct tune *tune, struct hone_error *err)
{
    char device[64];
    snprintf(device, sizeof device, "%s", tune->info.device_id);
    for (char *p = device; *p; p++)
        if (*p == ':' || *p == '/') *p = '_';
    for (int i = 1; i < JOURNAL_NAMES_MAX; i++) {
        char name[256], suffix[16] = "";
        if (i > 1) snprintf(suffix, sizeof suffix, "-%d", i);
        snprintf(name, sizeof name, "%s-%s%s.jsonl", tune->info.kernel, device, suffix);
        if (hone_file_exists(name)) continue;
        tune->journal_path = strdup(name);
        return tune->journal_path ? HONE_OK
                                  : hone_fail(err, HONE_ENOMEM, "out of memory");
    }
    return hone_fail(err, HONE_EUSAGE,
                     "too many journals of '%s' here: name one by --journal",
                     tune->info.kernel);
}

static enum hone_status temporary_name(struct tune *tune, struct hone_error *err)
{
    enum hone_status status = hone_file_temporary(&tune->journal_path, err);
    tune->journal_is_temporary = status == HONE_OK;
    return status;
}

static enum hone_status name_journal(struct tune *tune, struct hone_error *err)
{
    if (!tune->args->journal)
        return tune->recording ? temporary_name(tune, err) : free_name(tune, err);
    tune->journal_path = strdup(tune->args->journal);
    return tune->journal_path ? HONE_OK : hone_fail(err, HONE_ENOMEM, "out of memory");
}

// Trials of the earlier run, found again in this run's space by their parameter values.
static enum hone_status map_resumed(struct tune *tune, const struct hone_recording *done,
                                    uint16_t *choices, struct hone_error *err)
{
    const size_t n = hone_recording_count(done), m = hone_recording_begun_count(done);
    tune->resumed = calloc(n + m + 1, sizeof *tune->resumed);
    if (!tune->resumed)
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu earlier trials", n);
    for (size_t i = 0; i < n; i++) {
        struct hone_trial trial = *hone_recording_trial(done, i);
        hone_space_choices(hone_recording_space(done), trial.index, choices);
        if (hone_space_index(tune->space, choices, &trial.index) != HONE_OK) continue;
        tune->resumed[tune->resumed_count++] = trial;
    }
    return HONE_OK;
}

// One over which two runs were killed is not tried a third time.
static enum hone_status quarantine(struct tune *tune, const struct hone_begun *begun,
                                   uint64_t index, struct hone_error *err)
{
    struct hone_trial *trial = &tune->resumed[tune->resumed_count++];
    *trial = hone_trial_make(index, HONE_CRASHED);
    snprintf(trial->reason, sizeof trial->reason, "%u runs ended while it was measured",
             begun->times);
    return hone_journal_append(tune->journal, trial, begun->choices, err);
}

static enum hone_status map_begun(struct tune *tune, const struct hone_recording *done,
                                  struct hone_error *err)
{
    const size_t n = hone_recording_begun_count(done);
    enum hone_status status = HONE_OK;
    tune->retried = calloc(n + 1, sizeof *tune->retried);
    if (!tune->retried) return hone_fail(err, HONE_ENOMEM, "out of memory to resume");
    for (size_t i = 0; status == HONE_OK && i < n; i++) {
        const struct hone_begun *begun = hone_recording_begun(done, i);
        uint64_t index;
        if (hone_space_index(tune->space, begun->choices, &index) != HONE_OK) continue;
        if (begun->times >= BEGUN_MOST)
            status = quarantine(tune, begun, index, err);
        else
            tune->retried[tune->retried_count++] = index;
    }
    return status;
}

static enum hone_status map_done(struct tune *tune, const struct hone_recording *done,
                                 struct hone_error *err)
{
    uint16_t *choices = calloc(hone_space_param_count(tune->space) + 1, sizeof *choices);
    if (!choices) return hone_fail(err, HONE_ENOMEM, "out of memory to resume");
    enum hone_status status = map_resumed(tune, done, choices, err);
    if (status == HONE_OK) status = map_begun(tune, done, err);
    free(choices);
    return status;
}

enum hone_status tune_choose_start(struct tune *tune, uint64_t budget,
                                   struct hone_error *err)
{
    struct hone_warm_files files;
    const uint64_t *first = tune->bench.has_default ? &tune->bench.default_index : NULL;
    tune->info.strategy = tune->strategy.fns->name;
    enum hone_status status =
        hone_warm_files_load(&files, tune->args->warm.items, tune->args->warm.count, err);
    if (status == HONE_OK && files.count) {
        tune->info.strategy = hone_arena_printf(&tune->arena, "%s, warm from %zu runs",
                                                tune->info.strategy, files.count);
        if (!tune->info.strategy) status = hone_fail(err, HONE_ENOMEM, "out of memory");
    }
    const struct hone_warm warm = {
        .space = tune->space,
        .info = &tune->info,
        .recordings = (const struct hone_recording *const *)files.recordings,
        .recording_count = files.count,
    };
    if (status == HONE_OK)
        status = hone_warm_files_start(&tune->start, &tune->start_count, &warm, first,
                                       budget, err);
    if (status == HONE_OK && files.count)
        status = hone_warm_expect(&tune->expectation, &warm, err);
    hone_warm_files_fini(&files);
    return status;
}

// The first line is of all problems together, whichever is at hand.
static void describe_problems(struct tune *tune)
{
    const struct tune_part *part = tune->part;
    struct hone_record_info *info = &tune->info;
    info->problems = part->problems->items;
    info->problems_count = part->problems->count;
    if (!part->whole) return;
    info->problem = part->whole->problem;
    info->space_hash = part->whole->space_hash;
}

static enum hone_status resume(struct tune *tune, unsigned flags, struct hone_error *err)
{
    const size_t number = tune->part ? tune->part->number : 0;
    enum hone_status status = hone_journal_resume(
        &tune->journal, &tune->done, tune->journal_path, &tune->info, flags, err);
    if (status != HONE_OK) return status;
    hone_journal_set_problem(tune->journal, number);
    return map_done(tune, hone_recording_problem(tune->done, number), err);
}

// A name that was chosen here may be taken by another run that chose at the same time.
static enum hone_status create(struct tune *tune, unsigned flags, struct hone_error *err)
{
    const bool chosen = !tune->args->journal && !tune->recording;
    for (;;) {
        struct hone_error why = {0};
        enum hone_status status = hone_journal_create(&tune->journal, tune->journal_path,
                                                      &tune->info, flags, &why);
        if (status == HONE_OK) return HONE_OK;
        if (!chosen || !hone_file_exists(tune->journal_path)) {
            *err = err->code ? *err : why;
            return status;
        }
        free(tune->journal_path);
        tune->journal_path = NULL;
        status = free_name(tune, err);
        if (status != HONE_OK) return status;
    }
}

enum hone_status tune_open_journal(struct tune *tune, struct hone_error *err)
{
    unsigned flags = tune->recording ? 0 : HONE_JOURNAL_SYNC;
    enum hone_status status = name_journal(tune, err);
    if (status != HONE_OK) return status;
    if (tune->part) describe_problems(tune);
    if (tune->part && *tune->part->lock >= 0) flags |= HONE_JOURNAL_HELD;
    if (tune->args->resume || (tune->part && tune->part->whole))
        return resume(tune, flags, err);
    return create(tune, flags, err);
}

enum hone_status tune_close_journal(struct tune *tune, struct hone_error *err)
{
    struct hone_journal *journal = tune->journal;
    const struct tune_part *part = tune->part;
    tune->journal = NULL;
    if (journal && part && *part->lock < 0) *part->lock = hone_journal_hold(journal);
    return hone_journal_close(journal, err);
}

void tune_close(struct tune *tune)
{
    tune_close_journal(tune, NULL);
    fflush(stdout);
    cli_interrupt_hold(false);
    if (tune->journal_is_temporary) unlink(tune->journal_path);
    hone_evaluator_close(tune->evaluator);
    hone_pool_close(tune->pool);
    if (tune->gpu_lock >= 0) close(tune->gpu_lock);
    hone_recording_free(tune->recording);
    hone_recording_free(tune->done);
    if (tune->part) tune->bench.builder = NULL; // of all parts
    hone_workbench_close(&tune->bench);
    hone_named_strategy_fini(&tune->strategy);
    hone_arena_fini(&tune->arena);
    free(tune->journal_path);
    free(tune->resumed);
    free(tune->start);
    hone_expectation_free(tune->expectation);
    free(tune->retried);
}
