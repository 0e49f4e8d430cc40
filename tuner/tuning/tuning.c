// A tuning as a program sees it: opened, run once, asked.
#include "hone/tuning.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tuning_options.h"
#include "tuning_problems.h"

struct hone_tuning {
    struct hone_arena arena; // of options
    struct hone_tuning_options options;
    struct hone_named_strategy strategy;
    struct tuning_problems problems;
    struct tuning_step step; // the one at hand
    char *temporary;         // the journal, where it goes with the tuning
    bool ran;
};

static bool is_several(const struct hone_tuning *tuning)
{
    return tuning->problems.list.count > 0;
}

static enum hone_status open_step(struct hone_tuning *tuning, size_t number,
                                  enum tuning_round round, struct hone_error *err)
{
    struct tuning_part part;
    if (is_several(tuning))
        part =
            hone_tuning_problems_part(&tuning->problems, &tuning->options, number, round);
    tuning->step = hone_tuning_step_make(&tuning->options, &tuning->strategy,
                                         is_several(tuning) ? &part : NULL, tuning);
    return hone_tuning_step_open(&tuning->step, err);
}

static enum hone_status choose_journal(struct hone_tuning *tuning, struct hone_error *err)
{
    struct hone_tuning_options *o = &tuning->options;
    if (o->journal || (o->name_journal && !hone_replay_path(o))) return HONE_OK;
    enum hone_status status = hone_file_temporary(&tuning->temporary, err);
    o->journal = tuning->temporary;
    return status;
}

// From now on the journal has this name, also where it was chosen when it was opened.
static enum hone_status keep_journal_name(struct hone_tuning *tuning,
                                          struct hone_error *err)
{
    if (tuning->options.journal) return HONE_OK;
    tuning->options.journal =
        hone_arena_strdup(&tuning->arena, tuning->step.journal_path);
    return tuning->options.journal ? HONE_OK
                                   : hone_no_memory(err, "for the name of the journal");
}

static enum hone_status open_tuning(struct hone_tuning *tuning, struct hone_error *err)
{
    const struct hone_tuning_options *o = &tuning->options;
    enum hone_status status = hone_named_strategy_find(&tuning->strategy, o->strategy,
                                                       o->strategy_timeout_s, err);
    if (status == HONE_OK) status = hone_tuning_problems_load(&tuning->problems, o, err);
    if (status == HONE_OK) status = choose_journal(tuning, err);
    if (status == HONE_OK) status = open_step(tuning, 0, TUNING_SEARCH, err);
    return status == HONE_OK ? keep_journal_name(tuning, err) : status;
}

enum hone_status hone_tuning_open(struct hone_tuning **out,
                                  const struct hone_tuning_options *options,
                                  struct hone_error *err)
{
    assert(out && options);
    struct hone_tuning *tuning = calloc(1, sizeof *tuning);
    if (!tuning) return hone_no_memory(err, "for a tuning");
    tuning->problems.lock = tuning->step.target.gpu_lock = -1;
    enum hone_status status =
        hone_tuning_options_copy(&tuning->options, &tuning->arena, options, err);
    if (status == HONE_OK) status = open_tuning(tuning, err);
    if (status == HONE_OK)
        *out = tuning;
    else
        hone_tuning_close(tuning);
    return status;
}

void hone_tuning_close(struct hone_tuning *tuning)
{
    if (!tuning) return;
    hone_tuning_step_close(&tuning->step);
    if (tuning->temporary) unlink(tuning->temporary);
    hone_tuning_problems_fini(&tuning->problems);
    hone_named_strategy_fini(&tuning->strategy);
    hone_arena_fini(&tuning->arena);
    free(tuning->temporary);
    free(tuning);
}

/* --- running --- */

// The first step is open since the tuning was opened.
static enum hone_status run_step(struct hone_tuning *tuning, size_t number,
                                 enum tuning_round round, struct hone_error *err)
{
    struct tuning_problems *problems = &tuning->problems;
    struct hone_error why = {0};
    enum hone_status status = HONE_OK;
    const bool is_first = number == 0 && round == TUNING_SEARCH;
    if (!is_first) status = open_step(tuning, number, round, &why);
    if (status == HONE_ECANCELLED) {
        hone_tuning_step_close(&tuning->step);
        problems->cancelled = true;
        return HONE_OK; // an end like that of an interrupted search
    }
    hone_error_pass(err, status, &why);
    if (status == HONE_OK) status = hone_tuning_step_run(&tuning->step, err);
    problems->reference_wrong |= tuning->step.result.reference_wrong;
    if (status == HONE_OK)
        status = hone_tuning_problems_keep(problems, &tuning->step, err);
    hone_tuning_step_close(&tuning->step);
    return status;
}

static enum hone_status run_problems(struct hone_tuning *tuning, struct hone_error *err)
{
    struct tuning_problems *problems = &tuning->problems;
    enum hone_status status = HONE_OK;
    for (int round = TUNING_SEARCH; round <= TUNING_CROSS; round++)
        for (size_t p = 0; p < problems->list.count; p++)
            if (status == HONE_OK && !problems->cancelled)
                status = run_step(tuning, p, (enum tuning_round)round, err);
    const enum hone_status finished =
        hone_tuning_problems_finish(problems, status == HONE_OK ? err : NULL);
    return status == HONE_OK ? finished : status;
}

enum hone_status hone_tuning_run(struct hone_session_result *result,
                                 struct hone_tuning *tuning, struct hone_error *err)
{
    assert(result && tuning);
    *result = (struct hone_session_result){0};
    if (tuning->ran) return hone_fail(err, HONE_EUSAGE, "a tuning runs once");
    tuning->ran = true;
    if (is_several(tuning)) {
        const enum hone_status status = run_problems(tuning, err);
        *result = hone_tuning_problems_sum(&tuning->problems);
        return status;
    }
    const enum hone_status status = hone_tuning_step_run(&tuning->step, err);
    *result = tuning->step.result;
    return status;
}

/* --- what was found --- */

static enum hone_status fail_nothing_valid(const struct tuning_step *step,
                                           struct hone_error *err)
{
    const struct hone_session_result *result = &step->result;
    const enum hone_status sizes = step->unlaunchable.code;
    if (sizes != HONE_OK) return hone_error_pass(err, sizes, &step->unlaunchable);
    const struct hone_trial *first =
        result->refuted ? &result->refuted_first : &step->first_failure;
    return hone_fail(err, HONE_EDEVICE,
                     "none of %zu configurations is valid; the first: %s: %s",
                     result->done, hone_outcome_name(first->outcome), first->reason);
}

enum hone_status hone_tuning_check_found(const struct hone_tuning *tuning,
                                         struct hone_error *err)
{
    const struct hone_session_result *result = &tuning->step.result;
    if (!tuning->ran) return hone_fail(err, HONE_EUSAGE, "the tuning has not run yet");
    if (is_several(tuning))
        return hone_tuning_problems_check_found(&tuning->problems,
                                                tuning->options.journal, err);
    if (result->stop == HONE_STOP_CANCELLED)
        return hone_fail(err, HONE_ECANCELLED, "interrupted; what was measured is kept");
    return result->has_best ? HONE_OK : fail_nothing_valid(&tuning->step, err);
}

const struct hone_space *hone_tuning_space(const struct hone_tuning *tuning)
{
    return tuning->step.target.space;
}

const struct hone_kernel *hone_tuning_kernel(const struct hone_tuning *tuning)
{
    return tuning->step.target.bench.kernel;
}

static bool is_prediction(const struct hone_record_info *info)
{
    return info->times == HONE_TIME_PREDICTED;
}

struct hone_tuning_facts hone_tuning_facts(const struct hone_tuning *tuning)
{
    const struct hone_target *target = &tuning->step.target;
    const struct hone_recording *whole = tuning->problems.whole;
    struct hone_tuning_facts facts = {
        .info = whole ? hone_recording_info(whole) : &target->info,
        .journal = tuning->options.journal,
        .journal_is_temporary = tuning->temporary != NULL,
        .predicts = whole ? is_prediction(hone_recording_info(whole)) : target->predicts,
        .replays = target->recording != NULL,
        .has_reference = target->bench.def.reference.template_path != NULL,
        .named_sizes = target->bench.def.verify_count,
        .has_workers = target->pool != NULL};
    if (facts.has_workers) facts.workers = hone_pool_counts(target->pool);
    return facts;
}

enum hone_status hone_tuning_best(struct hone_value *out,
                                  const struct hone_tuning *tuning, const char *name,
                                  struct hone_error *err)
{
    const struct hone_space *space = tuning->step.target.space;
    if (is_several(tuning))
        return hone_fail(err, HONE_EUSAGE, "each of %zu problems has a best one",
                         tuning->problems.list.count);
    const size_t count = hone_space_param_count(space);
    if (!tuning->step.result.has_best)
        return hone_fail(err, HONE_ENOTFOUND, "no configuration is valid");
    size_t i = 0;
    while (i < count && strcmp(hone_space_param(space, i)->name, name) != 0)
        i++;
    if (i == count) return hone_fail(err, HONE_ENOTFOUND, "no parameter '%s'", name);
    uint16_t *choices = calloc(count, sizeof *choices);
    if (!choices) return hone_no_memory(err, "for a configuration");
    hone_space_choices(space, tuning->step.result.best.index, choices);
    *out = hone_space_param(space, i)->values[choices[i]];
    free(choices);
    return HONE_OK;
}

enum hone_status hone_tuning_count_problems(size_t *out,
                                            const struct hone_tuning_options *options,
                                            struct hone_error *err)
{
    struct hone_arena arena = {0};
    struct hone_tuning_options copy;
    struct tuning_problems problems = {.lock = -1};
    enum hone_status status = hone_tuning_options_copy(&copy, &arena, options, err);
    if (status == HONE_OK) status = hone_tuning_problems_load(&problems, &copy, err);
    *out = problems.list.count;
    hone_tuning_problems_fini(&problems);
    hone_arena_fini(&arena);
    return status;
}

size_t hone_tuning_problem_count(const struct hone_tuning *tuning)
{
    return tuning->problems.list.count;
}

enum hone_status hone_tuning_problem(const struct hone_session_result **result,
                                     const struct hone_space **space,
                                     const struct hone_tuning *tuning, size_t number,
                                     struct hone_error *err)
{
    const struct tuning_problems *problems = &tuning->problems;
    if (number >= problems->list.count)
        return hone_fail(err, HONE_EUSAGE, "problem %zu of %zu", number,
                         problems->list.count);
    if (!tuning->ran || !problems->whole)
        return hone_fail(err, HONE_EUSAGE, "nothing is known of the problems yet");
    *result = &problems->found[number].result;
    if (space)
        *space = hone_recording_space(hone_recording_problem(problems->whole, number));
    return HONE_OK;
}

enum hone_status hone_tuning_recording(struct hone_recording **out,
                                       const struct hone_tuning *tuning,
                                       struct hone_error *err)
{
    const char *path = tuning->options.journal;
    if (!tuning->ran)
        return hone_fail(err, HONE_EUSAGE, "a journal is read after the run");
    if (!is_several(tuning) && tuning->step.closed != HONE_OK)
        return hone_fail(err, HONE_EIO, "journal '%s' was not written to its end", path);
    return hone_recording_load(out, path, err);
}

enum hone_status hone_tuning_emit(struct hone_tuning *tuning, const char *path,
                                  const struct hone_emit_options *options,
                                  struct hone_error *err)
{
    static const struct hone_emit_options none;
    struct hone_recording *recording = NULL;
    enum hone_status status = hone_tuning_recording(&recording, tuning, err);
    if (status == HONE_OK)
        status = hone_emit_file(path, (const struct hone_recording *const *)&recording, 1,
                                options ? options : &none, err);
    hone_recording_free(recording);
    return status;
}
