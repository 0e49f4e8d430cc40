// Each space is judged, started and searched; what all strategies did on all of them is
// compared at the end.
#include "score/ranking.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/model.h"
#include "ranking_warm.h"
#include "score/runs.h"

// Below this a score is decided by the start design: docs/benchmark.md.
enum { CUTOFF_LEAST = 20 };

// The lines are all of the space, by their number or by the journal's word.
static bool ranking_is_whole(const struct hone_recording *recording)
{
    const struct hone_record_info *info = hone_recording_info(recording);
    return info->complete ||
           (info->space_count && hone_recording_count(recording) == info->space_count);
}

static enum hone_status survey(struct hone_ranking_space *space,
                               const struct hone_recording *recording, size_t limit,
                               struct hone_error *err)
{
    const size_t count = hone_recording_count(recording);
    double *costs = calloc(count + 1, sizeof *costs);
    if (!costs) return hone_no_memory(err, "for %zu costs", count);
    for (size_t i = 0; i < count; i++)
        costs[i] = hone_trial_cost(hone_recording_trial(recording, i));
    struct hone_error inner = {0};
    enum hone_status status =
        hone_landscape_init(&space->landscape, costs, count, limit, &inner);
    free(costs);
    if (status != HONE_OK)
        return hone_fail_at(err, status, hone_recording_path(recording), 0, "%s",
                            inner.text);
    if (!ranking_is_whole(recording))
        space->apart = "not the whole space";
    else if (hone_landscape_cutoff(&space->landscape, count, HONE_LAST_FRACTION) <
             CUTOFF_LEAST)
        space->apart = "random search needs under 20 evaluations";
    return HONE_OK;
}

static size_t run_length(const struct hone_landscape *landscape, size_t limit)
{
    size_t length = limit ? limit : HONE_MARK_LAST;
    if (length < landscape->exact.last) length = landscape->exact.last;
    if (length < landscape->compatible.last) length = landscape->compatible.last;
    return length;
}

static enum hone_status search_space(struct hone_ranking *ranking,
                                     struct hone_ranking_space *space,
                                     const struct hone_recording *recording,
                                     struct hone_error *err)
{
    const struct hone_ranking_plan *plan = &ranking->plan;
    struct hone_runs runs;
    const size_t budget = run_length(&space->landscape, plan->budget);
    enum hone_status status = hone_ranking_warm(space, plan, recording, budget, err);
    if (status != HONE_OK) return status;
    const struct hone_runs_plan runs_plan = {
        .strategies = plan->strategies,
        .strategy_count = plan->strategy_count,
        .repeats = plan->repeats,
        .seed = plan->seed,
        .budget = budget,
        .start = space->start,
        .start_count = space->start_count,
        .expectation = space->expectation,
        .design = plan->design,
        .threads = plan->threads,
        .on_error = plan->on_error,
    };
    const double worst = space->landscape.cost[space->landscape.valid - 1];
    status = hone_runs_make(&runs, recording, worst, &runs_plan, err);
    if (status != HONE_OK) return status;
    space->figures = calloc(plan->strategy_count, sizeof *space->figures);
    if (!space->figures) status = hone_no_memory(err, "to rank strategies");
    for (size_t s = 0; s < plan->strategy_count && status == HONE_OK; s++)
        status = hone_figures_init(&space->figures[s], &space->landscape, &runs, s, err);
    hone_runs_fini(&runs);
    return status;
}

static struct hone_ranking_space *add_space(struct hone_ranking *ranking,
                                            const char *name)
{
    struct hone_ranking_space *spaces =
        realloc(ranking->spaces, (ranking->space_count + 1) * sizeof *spaces);
    if (!spaces) return NULL;
    ranking->spaces = spaces;
    struct hone_ranking_space *space = &spaces[ranking->space_count];
    *space = (struct hone_ranking_space){.name = strdup(name)};
    if (!space->name) return NULL;
    ranking->space_count++;
    return space;
}

enum hone_status hone_ranking_add(struct hone_ranking *ranking, const char *name,
                                  const struct hone_recording *recording,
                                  struct hone_error *err)
{
    assert(ranking->plan.strategy_count && ranking->plan.repeats);
    assert(!ranking->summaries); // nothing is added once it is summed up
    struct hone_ranking_space *space = add_space(ranking, name);
    if (!space) return hone_no_memory(err, "to rank strategies");
    enum hone_status status = survey(space, recording, ranking->plan.budget, err);
    if (status == HONE_OK) status = search_space(ranking, space, recording, err);
    ranking->scored += status == HONE_OK && !space->apart;
    return status;
}

// The figures of one strategy on the scored spaces.
static void pick_figures(const struct hone_ranking *ranking, size_t strategy,
                         const struct hone_figures **figures)
{
    size_t count = 0;
    for (size_t i = 0; i < ranking->space_count; i++)
        if (!ranking->spaces[i].apart)
            figures[count++] = &ranking->spaces[i].figures[strategy];
}

static enum hone_status compare_strategies(struct hone_ranking *ranking,
                                           const struct hone_figures **figures,
                                           struct hone_error *err)
{
    const size_t n = ranking->plan.strategy_count, spaces = ranking->scored;
    enum hone_status status = HONE_OK;
    ranking->differences = calloc(n * n + 1, sizeof *ranking->differences);
    if (!ranking->differences) return hone_no_memory(err, "to rank strategies");
    for (size_t i = 0; i < n * n && status == HONE_OK; i++)
        if (i / n != i % n)
            status = hone_difference_make(
                &ranking->differences[i], figures + i / n * spaces,
                figures + i % n * spaces, spaces, ranking->plan.seed, err);
    return status;
}

enum hone_status hone_ranking_summarise(struct hone_ranking *ranking,
                                        struct hone_error *err)
{
    assert(!ranking->summaries);
    const size_t n = ranking->plan.strategy_count, spaces = ranking->scored;
    const struct hone_figures **figures = calloc(n * spaces + 1, sizeof *figures);
    ranking->summaries = calloc(n, sizeof *ranking->summaries);
    enum hone_status status = HONE_OK;
    if (!figures || !ranking->summaries)
        status = hone_no_memory(err, "to rank strategies");
    for (size_t s = 0; s < n && spaces && status == HONE_OK; s++) {
        pick_figures(ranking, s, figures + s * spaces);
        status = hone_summary_make(&ranking->summaries[s], figures + s * spaces, spaces,
                                   ranking->plan.seed, err);
    }
    if (status == HONE_OK && spaces) status = compare_strategies(ranking, figures, err);
    free(figures);
    return status;
}

size_t hone_ranking_leader(const struct hone_ranking *ranking)
{
    size_t leader = 0;
    for (size_t s = 1; s < ranking->plan.strategy_count; s++)
        if (ranking->summaries[s].score > ranking->summaries[leader].score) leader = s;
    return leader;
}

const struct hone_ranking_space *hone_ranking_scored(const struct hone_ranking *ranking,
                                                     size_t number)
{
    assert(number < ranking->scored);
    const struct hone_ranking_space *space = ranking->spaces;
    while (space->apart || number--)
        space++;
    return space;
}

void hone_ranking_curve(const struct hone_ranking *ranking, size_t strategy,
                        double *curve)
{
    const bool all = !ranking->scored;
    const double n = (double)(all ? ranking->space_count : ranking->scored);
    for (size_t m = 0; m < HONE_MARK_LAST; m++)
        for (size_t i = 0; i < ranking->space_count; i++)
            if (all || !ranking->spaces[i].apart)
                curve[m] += ranking->spaces[i].figures[strategy].curve[m] / n;
}

void hone_ranking_fini(struct hone_ranking *ranking)
{
    for (size_t i = 0; i < ranking->space_count; i++) {
        struct hone_ranking_space *space = &ranking->spaces[i];
        for (size_t s = 0; space->figures && s < ranking->plan.strategy_count; s++)
            hone_figures_fini(&space->figures[s]);
        free(space->figures);
        free(space->start);
        hone_expectation_free(space->expectation);
        hone_landscape_fini(&space->landscape);
        free(space->name);
    }
    free(ranking->spaces);
    free(ranking->summaries);
    free(ranking->differences);
    *ranking = (struct hone_ranking){0};
}
