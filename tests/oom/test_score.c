// Strategies scored on a recording under memory that runs out anywhere.
#include <math.h>

#include "hone_test.h"
#include "oom.h"
#include "score/plot.h"
#include "score/ranking.h"
#include "score/summary.h"

#define RECORDING HONE_SOURCE_DIR "/tests/golden/sgemm_a100.jsonl"

static enum hone_status plot(const struct hone_figures *figures, struct hone_error *err)
{
    struct hone_strbuf svg = HONE_STRBUF_INIT;
    const struct hone_plot_line line = {.name = "random", .y = figures->curve};
    hone_plot_svg(&svg, "score", &line, 1, HONE_MARK_LAST);
    const bool failed = svg.failed;
    hone_strbuf_fini(&svg);
    return failed ? hone_no_memory(err, "for the plot") : HONE_OK;
}

static enum hone_status show(const struct hone_landscape *landscape,
                             const struct hone_runs *runs, struct hone_error *err)
{
    struct hone_figures figures;
    struct hone_summary summary;
    enum hone_status status = hone_figures_init(&figures, landscape, runs, 0, err);
    if (status != HONE_OK) return status;
    const struct hone_figures *list[] = {&figures};
    status = hone_summary_make(&summary, list, 1, 1, err);
    if (status == HONE_OK) status = plot(&figures, err);
    hone_figures_fini(&figures);
    return status;
}

static enum hone_status score(void *context, struct hone_error *err)
{
    const struct hone_recording *recording = context;
    double costs[64];
    const size_t count = hone_recording_count(recording);
    assert_in_range(count, 5, 64);
    for (size_t i = 0; i < count; i++)
        costs[i] = hone_trial_cost(hone_recording_trial(recording, i));
    const struct hone_strategy_fns *strategies[] = {hone_strategy_find("random")};
    const struct hone_runs_plan plan = {.strategies = strategies,
                                        .strategy_count = 1,
                                        .repeats = 2,
                                        .seed = 1,
                                        .budget = 64,
                                        .threads = 1};
    struct hone_landscape landscape;
    struct hone_runs runs;
    enum hone_status status = hone_landscape_init(&landscape, costs, count, 0, err);
    if (status != HONE_OK) return status;
    status =
        hone_runs_make(&runs, recording, landscape.cost[landscape.valid - 1], &plan, err);
    if (status == HONE_OK) {
        status = show(&landscape, &runs, err);
        hone_runs_fini(&runs);
    }
    hone_landscape_fini(&landscape);
    return status;
}

static enum hone_status rank(void *context, struct hone_error *err)
{
    const struct hone_recording *recording = context;
    const struct hone_strategy_fns *strategies[] = {hone_strategy_find("random")};
    struct hone_ranking ranking = {.plan = {.strategies = strategies,
                                            .strategy_count = 1,
                                            .repeats = 2,
                                            .budget = 64,
                                            .threads = 1,
                                            .warm = &recording,
                                            .warm_count = 1}};
    enum hone_status status = hone_ranking_add(&ranking, "space", recording, err);
    if (status == HONE_OK) status = hone_ranking_summarise(&ranking, err);
    hone_ranking_fini(&ranking);
    return status;
}

static void ranking_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, RECORDING, &err), err);
    oom_check(rank, recording);
    hone_recording_free(recording);
}

static void scoring_survives_every_failing_allocation(void **state)
{
    (void)state;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_recording_load(&recording, RECORDING, &err), err);
    oom_check(score, recording);
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(scoring_survives_every_failing_allocation),
    cmocka_unit_test(ranking_survives_every_failing_allocation),
};
HONE_TEST_MAIN(tests)
