// Where a search starts because of what was measured before: journals of other runs, and
// the other problems of this one.
#include <math.h>
#include <stdlib.h>

#include "tuning/parts.h"
#include "tuning/warm_files.h"
#include "tuning_step.h"

// The best of each problem within a tenth, three at most, are measured on all others.
enum { FINALISTS = 3, CROSS_MOST = 64 };
static const double finalist_margin = 1.1;

/* --- journals of other runs --- */

static enum hone_status name_search(struct tuning_step *step, size_t recordings,
                                    struct hone_error *err)
{
    struct hone_target *target = &step->target;
    target->info.strategy = step->strategy->fns->name;
    if (!recordings) return HONE_OK;
    target->info.strategy = hone_arena_printf(&target->arena, "%s, warm from %zu runs",
                                              step->strategy->fns->name, recordings);
    return target->info.strategy ? HONE_OK
                                 : hone_no_memory(err, "for the name of the strategy");
}

enum hone_status hone_tuning_start_find(struct tuning_step *step, uint64_t budget,
                                        struct hone_error *err)
{
    struct hone_parts parts;
    struct tuning_start *start = &step->start;
    const struct hone_workbench *bench = &step->target.bench;
    enum hone_status status =
        hone_parts_load(&parts, step->options->warm, step->options->warm_count, err);
    if (status == HONE_OK) status = name_search(step, parts.count, err);
    const struct hone_warm warm = {
        .space = step->target.space,
        .info = &step->target.info,
        .recordings = (const struct hone_recording *const *)parts.items,
        .recording_count = parts.count,
    };
    if (status == HONE_OK)
        status = hone_warm_files_start(&start->items, &start->count, &warm,
                                       bench->has_default ? &bench->default_index : NULL,
                                       budget, err);
    if (status == HONE_OK && parts.count)
        status = hone_warm_expect(&start->expectation, &warm, err);
    hone_parts_fini(&parts);
    return status;
}

/* --- the other problems of this run --- */

static bool is_known(const struct tuning_step *step, uint64_t index)
{
    for (size_t i = 0; i < step->earlier.count; i++)
        if (step->earlier.trials[i].index == index) return true;
    for (size_t i = 0; i < step->start.count; i++)
        if (step->start.items[i] == index) return true;
    return false;
}

// A configuration of another problem's part, where it is valid for this problem and new.
static void add_start(struct tuning_step *step, const struct hone_recording *part,
                      const struct hone_trial *trial, uint16_t *choices)
{
    struct tuning_start *start = &step->start;
    uint64_t index;
    hone_space_choices(hone_recording_space(part), trial->index, choices);
    if (hone_space_index(step->target.space, choices, &index) != HONE_OK) return;
    if (start->fresh >= CROSS_MOST || is_known(step, index)) return;
    start->items[start->count++] = index;
    start->fresh++;
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
static enum hone_status start_with_finalists(struct tuning_step *step,
                                             struct hone_error *err)
{
    const size_t count = step->part.problems->count;
    const struct hone_workbench *bench = &step->target.bench;
    const struct hone_recording *done = step->earlier.done;
    struct tuning_start *start = &step->start;
    uint16_t *choices =
        calloc(hone_space_param_count(step->target.space), sizeof *choices);
    struct finalists *finalists = calloc(count, sizeof *finalists);
    free(start->items);
    start->items = calloc(CROSS_MOST + 2, sizeof *start->items);
    start->count = start->fresh = 0;
    const bool whole = choices && finalists && start->items;
    if (whole && bench->has_default) {
        start->fresh = !is_known(step, bench->default_index);
        start->items[start->count++] = bench->default_index;
    }
    for (size_t p = 0; whole && p < count; p++)
        finalists[p] = find_finalists(hone_recording_problem(done, p));
    for (size_t k = 0; whole && k < FINALISTS; k++)
        for (size_t p = 0; p < count; p++)
            if (finalists[p].best[k])
                add_start(step, hone_recording_problem(done, p), finalists[p].best[k],
                          choices);
    free(choices);
    free(finalists);
    return whole ? HONE_OK : hone_no_memory(err, "for finalists");
}

// Searches begin with what the others found, those of the nearest sizes first.
static enum hone_status start_with_others(struct tuning_step *step,
                                          struct hone_error *err)
{
    const size_t count = step->part.problems->count, number = step->part.number;
    const struct hone_recording *done = step->earlier.done;
    const struct hone_recording **parts = calloc(count, sizeof *parts);
    struct tuning_start *start = &step->start;
    struct hone_warm warm = {
        .space = step->target.space,
        .info = hone_recording_info(hone_recording_problem(done, number)),
        .recordings = parts};
    const size_t limit = count < CROSS_MOST ? count : CROSS_MOST;
    size_t found = 0;
    uint64_t *items = realloc(start->items, (start->count + limit + 1) * sizeof *items);
    if (items) start->items = items;
    if (!items || !parts) {
        free(parts);
        return hone_no_memory(err, "for recordings");
    }
    for (size_t p = 0; p < count; p++) {
        const struct hone_recording *part = hone_recording_problem(done, p);
        if (p != number && find_finalists(part).best[0])
            parts[warm.recording_count++] = part;
    }
    enum hone_status status = HONE_OK;
    if (warm.recording_count)
        status = hone_warm_start(items + start->count, &found, limit, &warm, err);
    if (status == HONE_OK && warm.recording_count && !start->expectation)
        status = hone_warm_expect(&start->expectation, &warm, err);
    start->count += found;
    free(parts);
    return status;
}

enum hone_status hone_tuning_start_across(struct tuning_step *step,
                                          struct hone_error *err)
{
    if (!step->part.problems || !step->earlier.done) return HONE_OK; // nothing is known
    return step->part.round == TUNING_CROSS ? start_with_finalists(step, err)
                                            : start_with_others(step, err);
}

void hone_tuning_start_fini(struct tuning_start *start)
{
    free(start->items);
    hone_expectation_free(start->expectation);
    *start = (struct tuning_start){0};
}
