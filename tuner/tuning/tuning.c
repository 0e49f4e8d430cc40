// A tuning: what `hone tune` does, without its workers and without a word printed.
#include "hone/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "pool/gpu_lock.h"
#include "tuning/provenance.h"
#include "tuning/workbench.h"

enum { DEFAULT_BUDGET = 200 };

struct hone_tuning {
    struct hone_tuning_options options; // what is used by the run; no text of the caller
    struct hone_arena arena;
    struct hone_workbench bench;
    struct hone_strategy_fns *strategy;
    struct hone_evaluator *evaluator;
    struct hone_record_info info;
    struct hone_journal *journal;
    char *path;
    bool temporary, predicts;
    int gpu_lock; // -1: none
    bool has_best;
    uint64_t best;
};

static enum hone_status open_bench(struct hone_tuning *tuning,
                                   const struct hone_tuning_options *options,
                                   struct hone_error *err)
{
    const char *device = options->device ? options->device : "auto";
    struct hone_limits limits;
    const struct hone_script_options script = {.limits = &limits,
                                               .set = options->set,
                                               .set_count = options->set_count,
                                               .template_path = options->template_path,
                                               .template_path_count =
                                                   options->template_path_count};
    struct hone_builder_options builder = options->builder;
    if (!builder.cancel) builder.cancel = options->cancel;
    enum hone_status status = hone_device_limits(&limits, device, err);
    if (status == HONE_OK)
        status = hone_workbench_open(&tuning->bench, options->script, &script, err);
    if (status == HONE_OK)
        status = hone_workbench_prepare(&tuning->bench, device, HONE_CLOCK_NONE, &builder,
                                        err);
    if (status != HONE_OK) return status;
    tuning->bench.device->cancel = options->cancel;
    return hone_gpu_lock(&tuning->gpu_lock, tuning->bench.device->uuid, true, err);
}

static enum hone_status open_evaluator(struct hone_tuning *tuning, struct hone_error *err)
{
    struct hone_workbench *bench = &tuning->bench;
    const struct hone_evaluate_options options = {.policy = hone_time_policy_default,
                                                  .data_seed = tuning->options.seed};
    enum hone_status status = hone_evaluator_direct(
        &tuning->evaluator, bench->kernel, bench->device, bench->builder, &options, err);
    if (status != HONE_OK) return status;
    const struct hone_facts facts = hone_facts_of(bench);
    tuning->predicts = facts.clock == HONE_CLOCK_EMULATED;
    status = hone_provenance(&tuning->info, &tuning->arena, bench, &facts, &options, err);
    tuning->info.seed = tuning->options.seed;
    tuning->info.strategy = tuning->strategy->name;
    return status;
}

static enum hone_status open_journal(struct hone_tuning *tuning, const char *journal,
                                     struct hone_error *err)
{
    const unsigned flags = tuning->predicts ? 0 : HONE_JOURNAL_SYNC;
    tuning->temporary = journal == NULL;
    if (!journal) {
        enum hone_status status = hone_file_temporary(&tuning->path, err);
        if (status != HONE_OK) return status;
    } else if (!(tuning->path = strdup(journal)))
        return hone_fail(err, HONE_ENOMEM, "out of memory for journal '%s'", journal);
    return hone_journal_create(&tuning->journal, tuning->path, &tuning->info, flags, err);
}

// What the run needs of the options; their texts belong to the caller.
static struct hone_tuning_options keep(const struct hone_tuning_options *options)
{
    return (struct hone_tuning_options){
        .seed = options->seed ? options->seed : 1,
        .evaluations = options->evaluations   ? options->evaluations
                       : options->seconds > 0 ? UINT64_MAX
                                              : DEFAULT_BUDGET,
        .seconds = options->seconds > 0 ? options->seconds : HUGE_VAL,
        .progress = options->progress,
        .context = options->context,
        .cancel = options->cancel};
}

enum hone_status hone_tuning_open(struct hone_tuning **out,
                                  const struct hone_tuning_options *options,
                                  struct hone_error *err)
{
    const char *strategy = options->strategy ? options->strategy : "portfolio";
    if (!options->script) return hone_fail(err, HONE_EUSAGE, "no script to tune");
    struct hone_tuning *tuning = calloc(1, sizeof *tuning);
    if (!tuning) return hone_fail(err, HONE_ENOMEM, "out of memory");
    tuning->gpu_lock = -1;
    tuning->options = keep(options);
    enum hone_status status = hone_strategy_parse(&tuning->strategy, strategy, err);
    if (status == HONE_OK) status = open_bench(tuning, options, err);
    if (status == HONE_OK) status = open_evaluator(tuning, err);
    if (status == HONE_OK) status = open_journal(tuning, options->journal, err);
    if (status == HONE_OK)
        *out = tuning;
    else
        hone_tuning_close(tuning);
    return status;
}

void hone_tuning_close(struct hone_tuning *tuning)
{
    if (!tuning) return;
    hone_journal_close(tuning->journal, NULL);
    if (tuning->temporary && tuning->path) unlink(tuning->path);
    hone_evaluator_close(tuning->evaluator);
    if (tuning->gpu_lock >= 0) close(tuning->gpu_lock);
    hone_workbench_close(&tuning->bench);
    hone_arena_fini(&tuning->arena);
    free(tuning->strategy);
    free(tuning->path);
    free(tuning);
}

enum hone_status hone_tuning_run(struct hone_session_result *result,
                                 struct hone_tuning *tuning, struct hone_error *err)
{
    *result = (struct hone_session_result){0};
    if (!tuning->journal) return hone_fail(err, HONE_EUSAGE, "a tuning runs once");
    const struct hone_tuning_options *o = &tuning->options;
    const struct hone_workbench *bench = &tuning->bench;
    const struct hone_session_options options = {
        .strategy = tuning->strategy,
        .search = {.seed = o->seed,
                   .budget = o->evaluations,
                   .start = &bench->default_index,
                   .start_count = bench->has_default ? 1 : 0,
                   .design = HONE_DESIGN_AUTO},
        .no_default = !bench->has_default,
        .seconds = o->seconds,
        .journal = tuning->journal,
        .progress = o->progress,
        .context = o->context,
        .finals = !tuning->predicts,
        .sustained = hone_workbench_is_compute_bound(bench, &bench->limits),
        .cancel = o->cancel,
    };
    enum hone_status status =
        hone_session_run(result, bench->space, tuning->evaluator, &options, err);
    tuning->has_best = result->has_best;
    tuning->best = result->best.index;
    struct hone_journal *journal = tuning->journal;
    tuning->journal = NULL;
    enum hone_status closed = hone_journal_close(journal, status == HONE_OK ? err : NULL);
    return status == HONE_OK ? closed : status;
}

const struct hone_space *hone_tuning_space(const struct hone_tuning *tuning)
{
    return tuning->bench.space;
}

const struct hone_kernel *hone_tuning_kernel(const struct hone_tuning *tuning)
{
    return tuning->bench.kernel;
}

enum hone_status hone_tuning_best(struct hone_value *out,
                                  const struct hone_tuning *tuning, const char *name,
                                  struct hone_error *err)
{
    const struct hone_space *space = tuning->bench.space;
    const size_t count = hone_space_param_count(space);
    if (!tuning->has_best)
        return hone_fail(err, HONE_ENOTFOUND, "no configuration is valid");
    size_t i = 0;
    while (i < count && strcmp(hone_space_param(space, i)->name, name) != 0)
        i++;
    if (i == count) return hone_fail(err, HONE_ENOTFOUND, "no parameter '%s'", name);
    uint16_t *choices = calloc(count, sizeof *choices);
    if (!choices) return hone_fail(err, HONE_ENOMEM, "out of memory");
    hone_space_choices(space, tuning->best, choices);
    *out = hone_space_param(space, i)->values[choices[i]];
    free(choices);
    return HONE_OK;
}

enum hone_status hone_tuning_emit(struct hone_tuning *tuning, const char *path,
                                  const struct hone_emit_options *options,
                                  struct hone_error *err)
{
    static const struct hone_emit_options none;
    struct hone_recording *recording = NULL;
    if (tuning->journal)
        return hone_fail(err, HONE_EUSAGE, "a header is emitted after the run");
    enum hone_status status = hone_recording_load(&recording, tuning->path, err);
    if (status == HONE_OK)
        status = hone_emit_file(path, (const struct hone_recording *const *)&recording, 1,
                                options ? options : &none, err);
    hone_recording_free(recording);
    return status;
}
