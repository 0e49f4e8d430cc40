#include "tuning_problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "space/trial_keep.h"
#include "target_script.h"

// The searches get so much of a time budget; the rest is for measuring across.
static const double search_share = 0.75;

/* --- which problems --- */

static enum hone_status list_problems(struct hone_problem_list *list,
                                      const struct hone_kernel_def *def, const char *path,
                                      struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    if (path)
        return hone_problem_list_read(list, path, def->space.constants,
                                      def->problem_count, err);
    for (size_t i = 0; status == HONE_OK && i < def->problems_count; i++)
        status = hone_problem_list_add(list, def->problem_count, def->problems[i].values,
                                       def->weights[i], err);
    return status;
}

static enum hone_status check_options(const struct hone_tuning_options *options,
                                      struct hone_error *err)
{
    if (!options->calibrate) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE, "--calibrate is for a single problem");
}

// Names and types of the sizes are the script's, and no device matters to them.
enum hone_status hone_tuning_problems_load(struct tuning_problems *problems,
                                           const struct hone_tuning_options *options,
                                           struct hone_error *err)
{
    struct hone_workbench bench = {0};
    *problems = (struct tuning_problems){.begun = hone_clock_seconds(), .lock = -1};
    if (hone_replay_path(options)) return HONE_OK;
    enum hone_status status = hone_target_load_script(&bench, options, "emu:h200", err);
    if (status == HONE_OK)
        status = list_problems(&problems->list, &bench.def, options->problems, err);
    hone_workbench_close(&bench);
    if (status != HONE_OK || !problems->list.count) return status;
    problems->found = calloc(problems->list.count, sizeof *problems->found);
    if (!problems->found) return hone_no_memory(err, "for results of problems");
    return check_options(options, err);
}

void hone_tuning_problems_fini(struct tuning_problems *problems)
{
    for (size_t p = 0; problems->found && p < problems->list.count; p++)
        free(problems->found[p].choices);
    free(problems->found);
    hone_arena_fini(&problems->said);
    if (problems->lock >= 0) close(problems->lock);
    hone_recording_free(problems->whole);
    hone_builder_free(problems->builder);
    hone_problem_list_fini(&problems->list);
    *problems = (struct tuning_problems){.lock = -1};
}

/* --- one after the other --- */

static double seconds_of(const struct tuning_problems *problems, double budget,
                         size_t number, enum tuning_round round)
{
    if (!(budget > 0)) return 0;
    const double end =
        problems->begun + budget * (round == TUNING_CROSS ? 1 : search_share);
    const double left = end - hone_clock_seconds();
    return fmax(left / (double)(problems->list.count - number), 1e-3);
}

struct tuning_part hone_tuning_problems_part(struct tuning_problems *problems,
                                             const struct hone_tuning_options *options,
                                             size_t number, enum tuning_round round)
{
    const struct hone_recording *whole = problems->whole;
    return (struct tuning_part){.problems = &problems->list,
                                .number = number,
                                .whole = whole ? hone_recording_info(whole) : NULL,
                                .round = round,
                                .seconds =
                                    seconds_of(problems, options->seconds, number, round),
                                .builder = &problems->builder,
                                .lock = &problems->lock};
}

// The evaluator that its trials come from is closed with the step.
static enum hone_status keep_trials(struct hone_session_result *result,
                                    struct hone_arena *said, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    if (result->has_best) status = hone_trial_keep(&result->best, said, err);
    if (status == HONE_OK && result->has_first)
        status = hone_trial_keep(&result->first, said, err);
    if (status == HONE_OK && result->refuted)
        status = hone_trial_keep(&result->refuted_first, said, err);
    return status;
}

// The trial of the default that an earlier step measured stays where this one has none.
static enum hone_status keep_found(struct problem_found *found, struct hone_arena *said,
                                   const struct tuning_step *step, struct hone_error *err)
{
    const struct hone_space *space = step->target.space;
    const size_t params = hone_space_param_count(space);
    const struct hone_session_result *result = &step->result;
    const bool had_first =
        found->result.has_first && !result->has_first && !result->default_refuted;
    const struct hone_trial first = found->result.first;
    if (!found->choices) found->choices = calloc(2 * params + 1, sizeof *found->choices);
    if (!found->choices) return hone_no_memory(err, "for a configuration");
    found->result = *result;
    if (step->unlaunchable.code) found->unlaunchable = step->unlaunchable;
    if (result->has_best) hone_space_choices(space, result->best.index, found->choices);
    if (result->has_first)
        hone_space_choices(space, result->first.index, found->choices + params);
    if (had_first) {
        found->result.has_first = true;
        found->result.first = first;
    }
    return keep_trials(&found->result, said, err);
}

enum hone_status hone_tuning_problems_keep(struct tuning_problems *problems,
                                           const struct tuning_step *step,
                                           struct hone_error *err)
{
    problems->cancelled = step->result.stop == HONE_STOP_CANCELLED;
    enum hone_status status =
        keep_found(&problems->found[step->part.number], &problems->said, step, err);
    if (status != HONE_OK) return status;
    hone_recording_free(problems->whole);
    problems->whole = NULL;
    return hone_recording_load(&problems->whole, step->journal_path, err);
}

/* --- what was found --- */

static enum hone_status find_again(struct problem_found *found,
                                   const struct hone_space *space, struct hone_error *err)
{
    struct hone_session_result *result = &found->result;
    const uint16_t *best = found->choices, *first = best + hone_space_param_count(space);
    if (result->has_best && hone_space_index(space, best, &result->best.index) != HONE_OK)
        return hone_fail(err, HONE_EINPUT, "the journal lacks the best configuration");
    if (result->has_first &&
        hone_space_index(space, first, &result->first.index) != HONE_OK)
        return hone_fail(err, HONE_EINPUT, "the journal lacks the default");
    return HONE_OK;
}

enum hone_status hone_tuning_problems_finish(struct tuning_problems *problems,
                                             struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t p = 0; problems->whole && p < problems->list.count; p++) {
        const struct hone_recording *part = hone_recording_problem(problems->whole, p);
        if (problems->found[p].choices && status == HONE_OK)
            status = find_again(&problems->found[p], hone_recording_space(part), err);
    }
    return status;
}

struct hone_session_result
hone_tuning_problems_sum(const struct tuning_problems *problems)
{
    struct hone_session_result sum = {.stop = problems->cancelled ? HONE_STOP_CANCELLED
                                                                  : HONE_STOP_DONE,
                                      .reference_wrong = problems->reference_wrong,
                                      .seconds = hone_clock_seconds() - problems->begun};
    for (size_t p = 0; p < problems->list.count; p++) {
        const struct hone_session_result *one = &problems->found[p].result;
        sum.done += one->done;
        sum.resumed += one->resumed;
        sum.repeated += one->repeated;
        sum.refuted += one->refuted;
        for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++)
            sum.outcomes[i] += one->outcomes[i];
        for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
            sum.waived[i] += one->waived[i];
    }
    return sum;
}

enum hone_status hone_tuning_problems_check_found(const struct tuning_problems *problems,
                                                  const char *journal,
                                                  struct hone_error *err)
{
    if (problems->cancelled)
        return hone_fail(err, HONE_ECANCELLED, "interrupted; what was measured is kept");
    size_t launchable = 0;
    for (size_t p = 0; p < problems->list.count; p++) {
        if (problems->found[p].result.has_best) return HONE_OK;
        launchable += problems->found[p].unlaunchable.code == HONE_OK;
    }
    const struct hone_error *sizes = &problems->found[0].unlaunchable;
    if (!launchable) return hone_error_pass(err, sizes->code, sizes);
    return hone_fail(err, HONE_EDEVICE,
                     "no configuration is valid for any of %zu "
                     "problems: hone show %s",
                     problems->list.count, journal);
}
