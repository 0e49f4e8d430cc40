#include "tuning_step.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// The limit is four times what half the interval of a median is aimed at: noise alone is
// no drift.
static const double drift_limit = 0.02;

struct tuning_step hone_tuning_step_make(const struct hone_tuning_options *options,
                                         const struct hone_named_strategy *strategy,
                                         const struct tuning_part *part,
                                         const struct hone_tuning *tuning)
{
    struct tuning_step step = {.options = options,
                               .strategy = strategy,
                               .tuning = tuning,
                               .target = {.gpu_lock = -1},
                               .first_failure = hone_trial_make(0, HONE_VALID)};
    if (part) step.part = *part;
    return step;
}

static void enter_stage(const struct tuning_step *step, enum hone_stage stage)
{
    const struct hone_tuning_options *o = step->options;
    if (o->stage)
        o->stage(o->context, step->tuning, stage, step->part.number,
                 step->part.round == TUNING_CROSS);
}

// Compared and measured once more is what a header is made of.
static bool is_last(const struct tuning_step *step)
{
    return !step->part.problems || step->part.round == TUNING_CROSS;
}

static uint64_t budget_of(const struct tuning_step *step)
{
    if (step->part.round == TUNING_CROSS) return step->earlier.count + step->start.fresh;
    return step->options->evaluations;
}

// A device is known to be emulated by its name, unless that is "auto".
static enum hone_status check_counting(const struct hone_tuning_options *o, bool emulated,
                                       struct hone_error *err)
{
    const bool replays = hone_replay_path(o) != NULL;
    if (!o->counting) return HONE_OK;
    if (emulated || replays)
        return hone_fail(err, HONE_EUSAGE,
                         "--counters are of a GPU's hardware, and %s: `hone explain` has "
                         "what the emulator counts",
                         replays ? "this is a recording" : "this device is emulated");
    if (!o->program && !o->worker_count)
        return hone_fail(err, HONE_EUSAGE,
                         "no program is named that could read counters");
    return HONE_OK;
}

static enum hone_status open_target(struct tuning_step *step, struct hone_error *err)
{
    const struct tuning_part *part = &step->part;
    const struct hone_value *sizes =
        part->problems ? part->problems->items[part->number].values : NULL;
    const char *name = step->options->device;
    enum hone_status status =
        check_counting(step->options, name && hone_device_is_emulated(name), err);
    if (status == HONE_OK)
        status =
            hone_target_open(&step->target, step->options, sizes, part->builder, err);
    if (status == HONE_OK)
        status = check_counting(step->options, step->target.predicts, err);
    if (status != HONE_OK || !step->options->measured_only || !step->target.predicts)
        return status;
    const char *device = step->target.info.device_id;
    return hone_fail(err, HONE_EUSAGE,
                     "%s predicts times, it does not measure them: a header from "
                     "predictions needs --accept-predicted",
                     device ? device : "this recording");
}

static void describe_step(struct tuning_step *step)
{
    struct hone_target *target = &step->target;
    target->info.seed = step->options->seed;
    if (!target->predicts && target->bench.has_default && step->options->drift_every) {
        target->info.drift_every = step->options->drift_every;
        target->info.drift_limit = drift_limit;
    }
    hone_named_strategy_describe(step->strategy, &target->info);
}

static enum hone_status tell_known(struct tuning_step *step, struct hone_error *err)
{
    const struct hone_tuning_options *o = step->options;
    const struct hone_target *target = &step->target;
    const bool first =
        !step->part.problems || (!step->part.number && step->part.round == TUNING_SEARCH);
    return o->known && first ? o->known(o->context, &target->info, target->space, err)
                             : HONE_OK;
}

enum hone_status hone_tuning_step_open(struct tuning_step *step, struct hone_error *err)
{
    assert(!step->target.space);
    enter_stage(step, HONE_STAGE_OPENING);
    enum hone_status status = open_target(step, err);
    if (status == HONE_OK) status = hone_tuning_start_find(step, budget_of(step), err);
    if (status != HONE_OK) return status;
    describe_step(step);
    status = tell_known(step, err);
    if (status == HONE_OK) status = hone_tuning_journal_open(step, err);
    return status == HONE_OK ? hone_tuning_start_across(step, err) : status;
}

static bool on_progress(void *context, const struct hone_progress *progress)
{
    struct tuning_step *step = context;
    const struct hone_tuning_options *o = step->options;
    if (step->first_failure.outcome == HONE_VALID) step->first_failure = *progress->trial;
    return !o->progress || o->progress(o->context, progress);
}

// Finals for energy run for a second each anyway.
static bool holds_sustained_finals(const struct tuning_step *step)
{
    const enum hone_wish wish = step->options->sustained;
    const struct hone_workbench *bench = &step->target.bench;
    if (step->options->objective != HONE_OBJECTIVE_TIME) return false;
    if (wish != HONE_WISH_AUTO) return wish == HONE_WISH_YES;
    return hone_workbench_is_compute_bound(bench, &bench->limits);
}

static struct hone_session_options session_options(struct tuning_step *step)
{
    const struct hone_tuning_options *o = step->options;
    const struct tuning_part *part = &step->part;
    const struct hone_target *target = &step->target;
    const double seconds = part->problems ? part->seconds : o->seconds;
    return (struct hone_session_options){
        .strategy = step->strategy->fns,
        .search = {.seed = o->seed,
                   .budget = budget_of(step),
                   .start = step->start.items,
                   .start_count = step->start.count,
                   .expectation = step->start.expectation,
                   .on_error = o->on_strategy_error,
                   .design = part->round == TUNING_CROSS ? 0 : HONE_DESIGN_AUTO},
        .no_default = !target->bench.has_default,
        .seconds = seconds > 0 ? seconds : HUGE_VAL,
        .journal = step->journal,
        .resumed = step->earlier.trials,
        .resumed_count = step->earlier.count,
        .retried = step->earlier.retried,
        .retried_count = step->earlier.retried_count,
        .progress = on_progress,
        .context = step,
        .confirm = is_last(step),
        .finals = is_last(step) && !o->no_finals && !target->predicts,
        .sustained = holds_sustained_finals(step),
        .drift_every = (size_t)target->info.drift_every,
        .drift_limit = target->info.drift_limit,
        .cancel = o->cancel,
    };
}

enum hone_status hone_tuning_step_run(struct tuning_step *step, struct hone_error *err)
{
    assert(step->journal);
    const struct hone_session_options options = session_options(step);
    enter_stage(step, HONE_STAGE_SEARCHING);
    enum hone_status status = hone_session_run(&step->result, step->target.space,
                                               step->target.evaluator, &options, err);
    if (status == HONE_OK && is_last(step)) status = hone_tuning_count(step, err);
    if (status == HONE_OK && !step->result.has_best && step->result.done)
        hone_workbench_check_sizes(&step->target.bench, &step->unlaunchable);
    enter_stage(step, HONE_STAGE_CLOSING);
    step->closed = hone_tuning_journal_close(step, status == HONE_OK ? err : NULL);
    return status == HONE_OK ? step->closed : status;
}

void hone_tuning_step_close(struct tuning_step *step)
{
    hone_tuning_journal_close(step, NULL);
    hone_target_close(&step->target);
    hone_tuning_earlier_fini(&step->earlier);
    hone_tuning_start_fini(&step->start);
    free(step->journal_path);
    step->journal_path = NULL;
}
