// Replays of a small recording for several strategies, and the figures made of them.
#include <math.h>
#include <string.h>

#include "hone/strbuf.h"
#include "record_fixture.h"
#include "score/plot.h"
#include "score/ranking.h"
#include "score/runs.h"
#include "score/summary.h"

enum { SIDE = 20, COUNT = SIDE * SIDE };

static double cost_at(int a, int b)
{
    return 100 + 3 * (a - 13) * (a - 13) + 2 * (b - 4) * (b - 4) + (a * 7 + b * 3) % 5;
}

static bool fails_at(int a, int b)
{
    return (a + 2 * b) % 6 == 0;
}

#define TWO_OF(more)                                                                     \
    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"params\":["                  \
    "{\"name\":\"A\",\"values\":[1,2,3]}]" more                                          \
    ",\"clock\":\"event\",\"objective\":\"time_us\"}\n"                                  \
    "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":2}\n"                             \
    "{\"config\":[3],\"outcome\":\"valid\",\"time_us\":1}\n"
static const char part_of_a_space[] = TWO_OF("");
static const char all_of_a_space[] = TWO_OF(",\"space_count\":2");

// A bowl with some grain, a sixth of it failing.
static struct hone_recording *bowl(struct hone_landscape *landscape)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    hone_strbuf_add(&text,
                    "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"bowl\",\"params\":[");
    for (int p = 0; p < 2; p++) {
        hone_strbuf_printf(&text, "%s{\"name\":\"%c\",\"values\":[", p ? "," : "",
                           'A' + p);
        for (int v = 0; v < SIDE; v++)
            hone_strbuf_printf(&text, "%s%d", v ? "," : "", v);
        hone_strbuf_add(&text, "]}");
    }
    hone_strbuf_add(&text, "],\"clock\":\"event\",\"objective\":\"time_us\","
                           "\"complete\":true}\n");
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++)
            if (fails_at(a, b))
                hone_strbuf_printf(
                    &text, "{\"config\":[%d,%d],\"outcome\":\"build_failed\"}\n", a, b);
            else
                hone_strbuf_printf(
                    &text, "{\"config\":[%d,%d],\"outcome\":\"valid\",\"time_us\":%g}\n",
                    a, b, cost_at(a, b));
    write_text(text.data, text.len);
    hone_strbuf_fini(&text);
    struct hone_recording *recording = load();
    double costs[COUNT];
    assert_int_equal(hone_recording_count(recording), COUNT);
    for (size_t i = 0; i < COUNT; i++)
        costs[i] = hone_trial_cost(hone_recording_trial(recording, i));
    assert_ok(hone_landscape_init(landscape, costs, COUNT, 0, &err), err);
    return recording;
}

static size_t oracle_ask(struct hone_search *search, void *priv, uint64_t *out,
                         size_t cap)
{
    (void)priv;
    (void)cap;
    const uint16_t optimum[] = {13, 3};
    return hone_space_index(hone_search_space(search), optimum, out) == HONE_OK;
}

static const struct hone_strategy_fns oracle = {.name = "oracle", .ask = oracle_ask};

static enum hone_status broken_init(struct hone_search *search, void *priv,
                                    struct hone_error *err)
{
    (void)search;
    (void)priv;
    return hone_fail(err, HONE_ELIMIT, "the strategy cannot start");
}

static const struct hone_strategy_fns broken = {
    .name = "broken", .init = broken_init, .ask = oracle_ask};

static struct hone_runs make_runs(const struct hone_recording *recording,
                                  const struct hone_landscape *l,
                                  const struct hone_runs_plan *plan)
{
    struct hone_runs runs;
    struct hone_error err = {0};
    assert_ok(hone_runs_make(&runs, recording, l->cost[l->valid - 1], plan, &err), err);
    return runs;
}

// random, greedy_ils and an oracle, 12 runs each.
static struct hone_runs_plan three(void)
{
    static const struct hone_strategy_fns *strategies[3];
    strategies[0] = hone_strategy_find("random");
    strategies[1] = hone_strategy_find("greedy_ils");
    strategies[2] = &oracle;
    return (struct hone_runs_plan){.strategies = strategies,
                                   .strategy_count = 3,
                                   .repeats = 12,
                                   .seed = 40,
                                   .budget = 60,
                                   .design = 5,
                                   .threads = 1};
}

static void runs_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_runs_plan plan = three();
    struct hone_runs one = make_runs(recording, &l, &plan);
    plan.threads = 7;
    struct hone_runs seven = make_runs(recording, &l, &plan);
    assert_memory_equal(one.best, seven.best, 3 * 12 * 60 * sizeof *one.best);
    hone_runs_fini(&one);
    hone_runs_fini(&seven);
    hone_landscape_fini(&l);
    hone_recording_free(recording);
}

static void seeds_are_paired(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_runs_plan plan = three();
    struct hone_runs runs = make_runs(recording, &l, &plan);
    plan.seed++;
    struct hone_runs later = make_runs(recording, &l, &plan);
    for (size_t r = 0; r < plan.repeats; r++) {
        const double *random = hone_runs_best(&runs, 0, r);
        assert_memory_equal(hone_runs_best(&runs, 1, r), hone_runs_best(&runs, 2, r),
                            plan.design * sizeof *random);
        if (r) // run r of one seed is run r - 1 of the next
            assert_memory_equal(random, hone_runs_best(&later, 0, r - 1),
                                plan.budget * sizeof *random);
    }
    hone_runs_fini(&runs);
    hone_runs_fini(&later);
    hone_landscape_fini(&l);
    hone_recording_free(recording);
}

static void the_best_never_gets_worse_and_stays_when_all_is_known(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_runs_plan plan = three();
    plan.budget = COUNT + 50;
    struct hone_runs runs = make_runs(recording, &l, &plan);
    for (size_t s = 0; s < 3; s++) {
        for (size_t r = 0; r < plan.repeats; r++) {
            const double *best = hone_runs_best(&runs, s, r);
            for (size_t m = 1; m < plan.budget; m++)
                assert_true(best[m] <= best[m - 1]);
            assert_true(best[COUNT - 1] == l.cost[0]);
            assert_true(best[plan.budget - 1] == l.cost[0]);
        }
    }
    hone_runs_fini(&runs);
    hone_landscape_fini(&l);
    hone_recording_free(recording);
}

static void a_strategy_that_fails_stops_the_runs_with_its_message(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_runs_plan plan = three();
    const struct hone_strategy_fns *strategies[] = {&oracle, &broken};
    struct hone_runs runs;
    struct hone_error err = {0};
    plan.strategies = strategies;
    plan.strategy_count = 2;
    plan.threads = 4;
    assert_int_equal(hone_runs_make(&runs, recording, 1, &plan, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "the strategy cannot start");
    assert_null(runs.best);
    err = (struct hone_error){.code = HONE_EUSAGE, .text = "said before"};
    assert_int_equal(hone_runs_make(&runs, recording, 1, &plan, &err), HONE_ELIMIT);
    assert_string_equal(err.text, "said before");
    hone_landscape_fini(&l);
    hone_recording_free(recording);
}

static struct hone_figures figures_of(const struct hone_landscape *l,
                                      const struct hone_runs *runs, size_t strategy)
{
    struct hone_figures figures;
    struct hone_error err = {0};
    assert_ok(hone_figures_init(&figures, l, runs, strategy, &err), err);
    return figures;
}

static void random_scores_zero_and_an_oracle_one(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_runs_plan plan = three();
    plan.repeats = 400;
    plan.design = 0;
    plan.threads = 0;
    plan.budget = l.exact.last > l.compatible.last ? l.exact.last : l.compatible.last;
    struct hone_runs runs = make_runs(recording, &l, &plan);
    struct hone_figures random = figures_of(&l, &runs, 0);
    struct hone_figures local = figures_of(&l, &runs, 1);
    struct hone_figures best = figures_of(&l, &runs, 2);
    double squares = 0;
    for (size_t r = 0; r < random.repeats; r++)
        squares += (random.scores[r] - random.score) * (random.scores[r] - random.score);
    const double error = sqrt(squares) / (double)random.repeats;
    assert_true(fabs(random.score) < 4 * error);
    assert_true(local.score > 8 * error);
    assert_true(best.score > 0.99999);
    hone_figures_fini(&random);
    hone_figures_fini(&local);
    hone_figures_fini(&best);
    hone_runs_fini(&runs);
    hone_landscape_fini(&l);
    hone_recording_free(recording);
}

// Two runs by hand over 60 evaluations: at the optimum from the 31st on, and at 4 % above
// it from the 11th on.
static struct hone_runs by_hand(double best[120], double cpu_us[2])
{
    for (size_t m = 0; m < 60; m++) {
        best[m] = m < 30 ? 200 : 100;
        best[60 + m] = m < 10 ? 200 : 104;
    }
    cpu_us[0] = 1;
    cpu_us[1] = 4;
    return (struct hone_runs){
        .strategy_count = 1, .repeats = 2, .budget = 60, .best = best, .cpu_us = cpu_us};
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12 * (1 + fabs(b));
}

static void figures_are_those_counted_by_hand(void **state)
{
    (void)state;
    double best[120], cpu_us[2], costs[60];
    struct hone_error err = {0};
    struct hone_landscape l;
    for (size_t i = 0; i < 60; i++)
        costs[i] = 100 + 2 * (double)i;
    assert_ok(hone_landscape_init(&l, costs, 60, 0, &err), err);
    const struct hone_runs runs = by_hand(best, cpu_us);
    struct hone_figures f = figures_of(&l, &runs, 0);
    assert_true(is_near(f.ratio[0], (0.5 + 100 / 104.0) / 2));
    assert_true(is_near(f.ratio[1], (1 + 100 / 104.0) / 2));
    assert_true(is_near(f.log_slowdown[1], log(1.04) / 2));
    assert_true(is_near(f.near[0], 0.5) && is_near(f.near[1], 1));
    assert_true(isnan(f.ratio[2]) && isnan(f.near[3]) && isnan(f.log_slowdown[3]));
    assert_true(f.spent == 31 + 11 && f.nears == 2);
    assert_true(f.cpu_us == 2.5);
    assert_true(is_near(f.curve[0], 0.5) && is_near(f.curve[59], (1 + 100 / 104.0) / 2));
    assert_true(isnan(f.curve[60]));
    hone_figures_fini(&f);
    hone_landscape_fini(&l);
}

static struct hone_figures constant(double *scores, double score)
{
    for (size_t r = 0; r < 5; r++)
        scores[r] = score;
    return (struct hone_figures){.repeats = 5,
                                 .scores = scores,
                                 .score = score,
                                 .log_slowdown = {0, log(2), log(8), 0},
                                 .spent = 100 * score,
                                 .nears = 1};
}

static void a_summary_is_the_mean_over_the_spaces(void **state)
{
    (void)state;
    double rows[3][5];
    struct hone_figures spaces[3];
    const struct hone_figures *list[3];
    struct hone_summary s, again;
    struct hone_error err = {0};
    for (size_t i = 0; i < 3; i++) {
        spaces[i] = constant(rows[i], 0.2 + 0.3 * (double)((i + 1) % 3));
        list[i] = &spaces[i];
    }
    assert_ok(hone_summary_make(&s, list, 3, 7, &err), err);
    assert_true(is_near(s.score, 0.5) && is_near(s.worst, 0.2));
    assert_int_equal(s.worst_space, 2);
    assert_true(is_near(s.slowdown[1], 2) && is_near(s.slowdown[2], 8));
    assert_true(is_near(s.evaluations_to_near, 50));
    assert_true(s.interval.low >= 0.2 - 1e-9 && s.interval.low < 0.5 &&
                s.interval.high > 0.5 && s.interval.high <= 0.8 + 1e-9);
    assert_ok(hone_summary_make(&again, list, 3, 7, &err), err);
    assert_true(s.interval.low == again.interval.low &&
                s.interval.high == again.interval.high);
    assert_ok(hone_summary_make(&s, list, 1, 7, &err), err);
    assert_true(is_near(s.interval.low, 0.5) &&
                is_near(s.interval.high, 0.5)); // one space, equal runs
}

static size_t occurrences(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
        n++;
    return n;
}

static void a_plot_has_a_line_and_a_name_for_each_strategy(void **state)
{
    (void)state;
    double rising[50], ended[50], none[50];
    for (size_t i = 0; i < 50; i++) {
        rising[i] = 0.4 + 0.012 * (double)i;
        ended[i] = i < 10 ? 0.5 : (double)NAN;
        none[i] = NAN;
    }
    const struct hone_plot_line lines[] = {
        {"rising", rising}, {"a<b&c", ended}, {"nothing", none}};
    struct hone_strbuf svg = HONE_STRBUF_INIT;
    hone_plot_svg(&svg, "title & more", lines, 3, 50);
    assert_false(svg.failed);
    assert_int_equal(strncmp(svg.data, "<svg ", 5), 0);
    assert_string_equal(svg.data + svg.len - 7, "</svg>\n");
    assert_int_equal(occurrences(svg.data, "stroke-width=\"2\""), 2);
    assert_non_null(strstr(svg.data, ">rising 0.988<"));
    assert_non_null(strstr(svg.data, ">a&lt;b&amp;c 0.500<"));
    assert_non_null(strstr(svg.data, ">title &amp; more<"));
    assert_null(strstr(svg.data, "nothing"));
    assert_null(strstr(svg.data, "nan"));
    hone_strbuf_fini(&svg);
}

static void names_of_lines_that_end_together_stay_apart(void **state)
{
    (void)state;
    enum { LINES = 20 };
    const double y[] = {0.5, 0.99};
    struct hone_plot_line lines[LINES];
    for (size_t i = 0; i < LINES; i++)
        lines[i] = (struct hone_plot_line){.name = "same", .y = y};
    struct hone_strbuf svg = HONE_STRBUF_INIT;
    hone_plot_svg(&svg, "", lines, LINES, 2);
    double last = -1e9;
    size_t names = 0;
    for (const char *p = strstr(svg.data, "<text x=\"618\""); p;
         p = strstr(p + 1, "<text x=\"618\"")) {
        const double place = strtod(strstr(p, "y=\"") + 3, NULL);
        assert_true(place > last + 14 && place < 440);
        last = place;
        names++;
    }
    assert_int_equal(names, LINES);
    hone_strbuf_fini(&svg);
}

static int clean_up(void **state)
{
    clean(state);
    return teardown(state);
}

// Spaces differ wildly and runs with them, the two strategies hardly at all.
static void a_difference_is_paired_by_space_and_seed(void **state)
{
    (void)state;
    enum { SPACES = 4, RUNS = 6 };
    double a[SPACES][RUNS], b[SPACES][RUNS];
    struct hone_figures x[SPACES], y[SPACES];
    const struct hone_figures *ahead[SPACES], *behind[SPACES];
    for (int i = 0; i < SPACES; i++) {
        x[i] = (struct hone_figures){.repeats = RUNS, .scores = a[i]};
        y[i] = (struct hone_figures){.repeats = RUNS, .scores = b[i]};
        for (int r = 0; r < RUNS; r++) {
            b[i][r] = i - 2 + 0.3 * r;
            a[i][r] = b[i][r] + 0.1 + 0.01 * ((i + r) % 3);
            x[i].score += a[i][r] / RUNS;
            y[i].score += b[i][r] / RUNS;
        }
        ahead[i] = &x[i];
        behind[i] = &y[i];
    }
    struct hone_difference d, back, none;
    struct hone_error err = {0};
    assert_ok(hone_difference_make(&d, ahead, behind, SPACES, 7, &err), err);
    assert_true(is_near(d.score, 0.11));
    assert_true(d.interval.low >= 0.1 && d.interval.low < 0.11);
    assert_true(d.interval.high <= 0.12 && d.interval.high > 0.11);
    assert_ok(hone_difference_make(&back, behind, ahead, SPACES, 7, &err), err);
    assert_true(is_near(back.interval.low, -d.interval.high));
    assert_ok(hone_difference_make(&none, ahead, ahead, SPACES, 7, &err), err);
    assert_true(none.interval.low == 0 && none.interval.high == 0);
}

// Of one space the summary is its figures; a recording with gaps is searched, not scored.
static void a_ranking_sums_up_the_spaces_that_are_whole(void **state)
{
    (void)state;
    struct hone_landscape l;
    struct hone_recording *recording = bowl(&l);
    struct hone_error err = {0};
    const struct hone_runs_plan runs = three();
    struct hone_ranking ranking = {.plan = {.strategies = runs.strategies,
                                            .strategy_count = runs.strategy_count,
                                            .repeats = runs.repeats,
                                            .seed = runs.seed,
                                            .design = runs.design}};
    assert_ok(hone_ranking_add(&ranking, "bowl", recording, &err), err);
    hone_landscape_fini(&l);
    hone_recording_free(recording);
    write_text(part_of_a_space, sizeof part_of_a_space - 1);
    recording = load();
    assert_ok(hone_ranking_add(&ranking, "part", recording, &err), err);
    hone_recording_free(recording);
    write_text(all_of_a_space, sizeof all_of_a_space - 1);
    recording = load();
    assert_ok(hone_ranking_add(&ranking, "all", recording, &err), err);
    hone_recording_free(recording);
    assert_ok(hone_ranking_summarise(&ranking, &err), err);
    assert_int_equal(ranking.space_count, 3);
    assert_int_equal(ranking.scored, 1);
    assert_string_equal(ranking.spaces[0].name, "bowl");
    assert_null(ranking.spaces[0].apart);
    assert_string_equal(ranking.spaces[1].apart, "not the whole space");
    assert_string_equal(ranking.spaces[2].apart,
                        "random search needs under 20 evaluations");
    assert_true(ranking.summaries[2].score > ranking.summaries[0].score);
    for (size_t s = 0; s < runs.strategy_count; s++)
        assert_true(ranking.summaries[s].score == ranking.spaces[0].figures[s].score);
    const struct hone_difference *ahead = &ranking.differences[2 * 3 + 0];
    assert_true(
        is_near(ahead->score, ranking.summaries[2].score - ranking.summaries[0].score));
    hone_ranking_fini(&ranking);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(runs_do_not_depend_on_the_threads),
    cmocka_unit_test(seeds_are_paired),
    cmocka_unit_test(the_best_never_gets_worse_and_stays_when_all_is_known),
    cmocka_unit_test(a_strategy_that_fails_stops_the_runs_with_its_message),
    cmocka_unit_test(random_scores_zero_and_an_oracle_one),
    cmocka_unit_test(figures_are_those_counted_by_hand),
    cmocka_unit_test(a_difference_is_paired_by_space_and_seed),
    cmocka_unit_test(a_summary_is_the_mean_over_the_spaces),
    cmocka_unit_test(a_ranking_sums_up_the_spaces_that_are_whole),
    cmocka_unit_test(a_plot_has_a_line_and_a_name_for_each_strategy),
    cmocka_unit_test(names_of_lines_that_end_together_stay_apart),
};

HONE_TEST_MAIN_WITH(tests, setup, clean_up)
