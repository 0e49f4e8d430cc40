// hone tune of several problems: one journal, each problem searched on its own with the
// winners of those before it among its first candidates, then the best few of each
// measured on all the others. Each step is a resumed run of one problem: what it needs to
// know stands in the journal, so an interrupted tuning goes on where it was.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "interrupt.h"
#include "print.h"
#include "tune.h"
#include "warm/warm.h"

// Of each problem, who is measured on all others: the best within a tenth, three at most.
enum { FINALISTS = 3, CROSS_MOST = 64 };

// Of builds, in memory: some hundreds, each of 50 to 500 KB.
enum { BUILDS_BYTES = 256 << 20 };
static const double finalist_margin = 1.1;

// Of a time budget, what the searches get; the rest is for measuring across.
static const double search_share = 0.75;

/* --- where a problem starts --- */

static bool is_known(const struct tune *tune, uint64_t index)
{
    for (size_t i = 0; i < tune->resumed_count; i++)
        if (tune->resumed[i].index == index) return true;
    for (size_t i = 0; i < tune->start_count; i++)
        if (tune->start[i] == index) return true;
    return false;
}

// A configuration of another problem's part, where it is valid for this problem and new.
static void add_start(struct tune *tune, const struct hone_recording *part,
                      const struct hone_trial *trial, uint16_t *choices)
{
    uint64_t index;
    hone_space_choices(hone_recording_space(part), trial->index, choices);
    if (hone_space_index(tune->space, choices, &index) != HONE_OK) return;
    if (tune->fresh >= CROSS_MOST || is_known(tune, index)) return;
    tune->start[tune->start_count++] = index;
    tune->fresh++;
}

struct finalists {
    const struct hone_trial *best[FINALISTS]; // in order; NULL where there are fewer
};

static struct finalists find_finalists(const struct hone_recording *part)
{
    struct finalists f = {{NULL}};
    for (size_t i = 0; i < hone_recording_count(part); i++) {
        const struct hone_trial *trial = hone_recording_trial(part, i);
        for (size_t k = 0; k < FINALISTS && isfinite(hone_trial_cost(trial)); k++) {
            if (f.best[k] && hone_trial_cost(f.best[k]) <= hone_trial_cost(trial))
                continue;
            const struct hone_trial *next = f.best[k];
            f.best[k] = trial;
            trial = next;
            if (!trial) break;
        }
    }
    for (size_t k = 1; k < FINALISTS; k++)
        if (f.best[k] &&
            hone_trial_cost(f.best[k]) > finalist_margin * hone_trial_cost(f.best[0]))
            f.best[k] = NULL;
    return f;
}

// The winners of all problems first, then those who came second, and so on.
static enum hone_status start_across(struct tune *tune, struct hone_error *err)
{
    const size_t count = tune->part->problems->count;
    uint16_t *choices = calloc(hone_space_param_count(tune->space), sizeof *choices);
    struct finalists *finalists = calloc(count, sizeof *finalists);
    free(tune->start);
    tune->start = calloc(CROSS_MOST + 2, sizeof *tune->start);
    tune->start_count = tune->fresh = 0;
    const bool whole = choices && finalists && tune->start;
    if (whole && tune->bench.has_default) {
        tune->fresh = !is_known(tune, tune->bench.default_index);
        tune->start[tune->start_count++] = tune->bench.default_index;
    }
    for (size_t p = 0; whole && p < count; p++)
        finalists[p] = find_finalists(hone_recording_problem(tune->done, p));
    for (size_t k = 0; whole && k < FINALISTS; k++)
        for (size_t p = 0; p < count; p++)
            if (finalists[p].best[k])
                add_start(tune, hone_recording_problem(tune->done, p),
                          finalists[p].best[k], choices);
    free(choices);
    free(finalists);
    return whole ? HONE_OK : hone_fail(err, HONE_ENOMEM, "out of memory");
}

// Searches begin with what the others found, those of the nearest sizes first.
static enum hone_status start_warm(struct tune *tune, struct hone_error *err)
{
    const size_t count = tune->part->problems->count, number = tune->part->number;
    const struct hone_recording **parts = calloc(count, sizeof *parts);
    struct hone_warm warm = {
        .space = tune->space,
        .info = hone_recording_info(hone_recording_problem(tune->done, number)),
        .recordings = parts};
    const size_t limit = count < CROSS_MOST ? count : CROSS_MOST;
    size_t found = 0;
    uint64_t *start =
        realloc(tune->start, (tune->start_count + limit + 1) * sizeof *start);
    if (start) tune->start = start;
    if (!start || !parts) {
        free(parts);
        return hone_fail(err, HONE_ENOMEM, "out of memory");
    }
    for (size_t p = 0; p < count; p++) {
        const struct hone_recording *part = hone_recording_problem(tune->done, p);
        if (p != number && find_finalists(part).best[0])
            parts[warm.recording_count++] = part;
    }
    enum hone_status status = HONE_OK;
    if (warm.recording_count)
        status = hone_warm_start(start + tune->start_count, &found, limit, &warm, err);
    if (status == HONE_OK && warm.recording_count && !tune->expectation)
        status = hone_warm_expect(&tune->expectation, &warm, err);
    tune->start_count += found;
    free(parts);
    return status;
}

enum hone_status tune_cross_start(struct tune *tune, struct hone_error *err)
{
    if (!tune->done) return HONE_OK; // the first search of all
    return tune->part->cross ? start_across(tune, err) : start_warm(tune, err);
}

/* --- one problem after the other --- */

struct several {
    struct tune_args args; // with the journal's name, once there is one
    const struct hone_problem_list *problems;
    char *journal;
    struct hone_recording *whole; // the journal as it was last closed
    struct tune_outcome *outcomes;
    double begun;                 // seconds, of hone_clock_seconds
    struct hone_builder *builder; // so that what problems share is built once
    int lock;                     // of the journal between two parts; -1: not yet
    bool cancelled;
};

static double seconds_of(const struct several *s, size_t number, bool cross)
{
    const double budget = s->args.budget.seconds;
    if (!(budget > 0)) return 0;
    const double end = s->begun + budget * (cross ? 1 : search_share);
    const double left = end - hone_clock_seconds();
    return fmax(left / (double)(s->problems->count - number), 1e-3);
}

static enum hone_status keep_outcome(struct several *s, const struct tune *tune,
                                     struct hone_error *err)
{
    struct tune_outcome *outcome = &s->outcomes[tune->part->number];
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const bool had_first = outcome->result.has_first && !tune->result.has_first &&
                           !tune->result.default_refuted;
    const struct hone_trial first = outcome->result.first;
    outcome->result = tune->result;
    if (had_first) {
        outcome->result.has_first = true;
        outcome->result.first = first;
    }
    s->cancelled = tune->result.stop == HONE_STOP_CANCELLED;
    if (!tune->result.has_best) return HONE_OK;
    cli_config_text(&text, tune->space, tune->result.best.index);
    free(outcome->config);
    outcome->config = hone_strbuf_steal(&text);
    return outcome->config ? HONE_OK : hone_fail(err, HONE_ENOMEM, "out of memory");
}

// The journal is read again after each step: the next one begins from it.
static enum hone_status reload(struct several *s, struct tune *tune,
                               struct hone_error *err)
{
    if (!tune->journal_path) return HONE_OK;
    if (!s->journal) {
        s->journal = strdup(tune->journal_path);
        s->args.journal = s->journal;
    }
    if (!s->journal) return hone_fail(err, HONE_ENOMEM, "out of memory");
    hone_recording_free(s->whole);
    s->whole = NULL;
    return hone_recording_load(&s->whole, s->journal, err);
}

static void announce(const struct several *s, const struct tune *tune)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const struct tune_part *part = tune->part;
    if (s->args.quiet) return;
    tune_problem_text(&text, s->problems, part->number, tune->bench.def.space.constants,
                      tune->bench.def.problem_count);
    hone_log(HONE_LOG_INFO, "problem %zu of %zu%s: %s", part->number + 1,
             s->problems->count, part->cross ? ", with the best of the others" : "",
             text.len ? text.data : "");
    hone_strbuf_fini(&text);
}

static enum hone_status run_part(struct several *s, size_t number, bool cross,
                                 struct hone_error *err)
{
    const struct tune_part part = {.problems = s->problems,
                                   .number = number,
                                   .whole =
                                       s->whole ? hone_recording_info(s->whole) : NULL,
                                   .cross = cross,
                                   .builder = &s->builder,
                                   .lock = &s->lock,
                                   .seconds = seconds_of(s, number, cross)};
    struct tune tune = {.args = &s->args, .part = &part, .gpu_lock = -1};
    enum hone_status status = tune_prepare(&tune, err);
    if (status == HONE_OK) status = tune_cross_start(&tune, err);
    if (status == HONE_OK) {
        announce(s, &tune);
        status = tune_search(&tune, err);
        const enum hone_status closed =
            tune_close_journal(&tune, status == HONE_OK ? err : NULL);
        if (status == HONE_OK) status = closed;
        if (status == HONE_OK) status = keep_outcome(s, &tune, err);
        if (status == HONE_OK) status = reload(s, &tune, err);
    }
    tune_close(&tune);
    return status;
}

static enum hone_status run_parts(struct several *s, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (int cross = 0; cross < 2; cross++)
        for (size_t p = 0; p < s->problems->count && !status && !s->cancelled; p++)
            status = run_part(s, p, cross, err);
    return status;
}

static bool found_any(const struct several *s)
{
    for (size_t p = 0; p < s->problems->count; p++)
        if (s->outcomes[p].result.has_best) return true;
    return false;
}

static enum hone_status conclude(struct several *s, struct hone_error *err)
{
    const struct tune tune = {.args = &s->args, .journal_path = s->journal};
    const struct hone_record_info *info = hone_recording_info(s->whole);
    enum hone_status status = HONE_OK;
    if (found_any(s) && s->args.output) status = tune_write_header(&tune, err);
    if (status != HONE_OK || !found_any(s)) s->args.output = NULL; // there is none
    if (status == HONE_OK && s->args.json)
        status =
            tune_several_json(&s->args, s->problems, info, s->outcomes, s->journal, err);
    else if (!s->args.json)
        tune_several_print(&s->args, s->problems, info, s->outcomes, s->journal);
    if (status == HONE_OK && s->cancelled)
        status =
            hone_fail(err, HONE_ECANCELLED, "interrupted; what was measured is kept");
    if (status == HONE_OK && !found_any(s))
        status = hone_fail(err, HONE_EDEVICE,
                           "no configuration is valid for any of %zu "
                           "problems: hone show %s",
                           s->problems->count, s->journal);
    return status;
}

static enum hone_status check_args(const struct tune_args *args, struct hone_error *err)
{
    if (args->calibrate)
        return hone_fail(err, HONE_EUSAGE, "--calibrate is for a single problem");
    if (args->repeat > 1)
        return hone_fail(err, HONE_EUSAGE, "--repeat-tuning is for a single problem");
    return HONE_OK;
}

enum hone_status tune_several(const struct tune_args *args,
                              const struct hone_problem_list *problems,
                              struct hone_error *err)
{
    struct several s = {.args = *args,
                        .problems = problems,
                        .outcomes = calloc(problems->count, sizeof *s.outcomes),
                        .begun = hone_clock_seconds(),
                        .lock = -1};
    enum hone_status status = check_args(args, err);
    s.args.build.memory_bytes = BUILDS_BYTES;
    if (!s.outcomes) status = hone_fail(err, HONE_ENOMEM, "out of memory");
    if (status == HONE_OK) status = run_parts(&s, err);
    cli_interrupt_hold(true);
    if (s.whole) {
        enum hone_status concluded = conclude(&s, status == HONE_OK ? err : NULL);
        if (status == HONE_OK) status = concluded;
    }
    fflush(stdout);
    cli_interrupt_hold(false);
    for (size_t p = 0; s.outcomes && p < problems->count; p++)
        free(s.outcomes[p].config);
    free(s.outcomes);
    if (s.lock >= 0) close(s.lock);
    hone_recording_free(s.whole);
    hone_builder_free(s.builder);
    free(s.journal);
    return status;
}

/* --- which problems --- */

// Names and types of the sizes are the script's; so is its list, without --problems.
enum hone_status tune_problems(struct hone_problem_list *out,
                               const struct tune_args *args, struct hone_error *err)
{
    struct hone_workbench bench = {0};
    struct cli_script_args script = args->script;
    if (tune_replay_path(args)) {
        if (!args->problems) return HONE_OK;
        return hone_fail(err, HONE_EUSAGE, "--problems is for a script, not a replay");
    }
    if (args->words.count != 1) return HONE_OK; // tune_run will say so
    script.device = "emu:h200";                 // no device matters here
    enum hone_status status =
        cli_workbench_load(&bench, args->words.items[0], &script, err);
    const struct hone_kernel_def *def = &bench.def;
    if (status == HONE_OK && args->problems)
        status = hone_problem_list_read(out, args->problems, def->space.constants,
                                        def->problem_count, err);
    for (size_t i = 0; status == HONE_OK && !args->problems && i < def->problems_count;
         i++)
        status = hone_problem_list_add(out, def->problem_count, def->problems[i].values,
                                       def->weights[i], err);
    hone_workbench_close(&bench);
    return status;
}
