// Strategies and their engine: what every strategy must do, on spaces small enough to see
// whole.
#include "design.h"
#include "search_fixture.h"

// --- every strategy ---

static void exhaust(const struct hone_strategy_fns *strategy,
                    const struct hone_space *space, uint64_t variant)
{
    struct run run = new_run(strategy->name, space, variant, UINT64_MAX);
    run.land = landscapes[variant % LANDSCAPES];
    run.width = 1 + variant % 5 * 3;
    run.late_seed = variant % 3;
    run.options.design = (size_t)(variant % 4) * 3;
    run_search(&run, space);
    assert_int_equal(run.count, hone_space_count(space));
    assert_all_distinct(&run, hone_space_count(space));
    free(run.asked);
}

static void every_strategy_exhausts_tiny_spaces_without_repeating(void **state)
{
    (void)state;
    for (size_t params = 1; params <= 4; params++)
        for (size_t values = 1; values <= 3; values++) {
            struct hone_space *space =
                make_space(params, values, params > 1 && values > 1);
            for (size_t i = 0; hone_strategies[i]; i++)
                for (uint64_t variant = 0; variant < 60; variant++)
                    exhaust(hone_strategies[i], space, variant);
            hone_space_free(space);
        }
}

static void every_strategy_spends_its_budget(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 5, true);
    for (size_t i = 0; hone_strategies[i]; i++)
        for (uint64_t budget = 0; budget < 300; budget += 23) {
            struct run run = new_run(hone_strategies[i]->name, space, budget, budget);
            run.land = landscapes[budget % LANDSCAPES];
            run.width = 4;
            run_search(&run, space);
            assert_int_equal(run.count, budget);
            assert_all_distinct(&run, hone_space_count(space));
            free(run.asked);
        }
    hone_space_free(space);
}

static void every_strategy_repeats_by_seed(void **state)
{
    (void)state;
    struct hone_space *space = make_space(5, 5, true);
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct run runs[3];
        for (uint64_t j = 0; j < 3; j++) {
            runs[j] = new_run(hone_strategies[i]->name, space, j == 2 ? 8 : 7, 150);
            runs[j].width = 5;
            runs[j].late_seed = 11;
            run_search(&runs[j], space);
        }
        size_t bytes = runs[0].count * sizeof *runs[0].asked;
        assert_memory_equal(runs[0].asked, runs[1].asked, bytes);
        if (strcmp(hone_strategies[i]->name, "grid") != 0)
            assert_memory_not_equal(runs[0].asked, runs[2].asked, bytes);
        for (int j = 0; j < 3; j++)
            free(runs[j].asked);
    }
    hone_space_free(space);
}

// Batches of four, told forwards or backwards.
static void ask_in_batches(const struct hone_strategy_fns *strategy,
                           const struct hone_space *space, bool backwards, uint64_t *out)
{
    const struct hone_search_options options = {.seed = 3, .budget = 80, .design = 6};
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_ok(hone_search_new(&search, strategy, space, &options, &err), err);
    for (size_t total = 0; total < 80;) {
        size_t n = 0, more = 1;
        for (; n < 4 && more; n += more)
            assert_ok(hone_search_ask(search, out + total + n, 4 - n, &more, &err), err);
        for (size_t i = 0; i < n; i++) {
            const size_t which = total + (backwards ? n - 1 - i : i);
            const struct hone_trial trial = rough_bowl(space, out[which]);
            assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        }
        total += n;
    }
    hone_search_free(search);
}

static void order_of_results_in_a_batch_changes_no_proposal(void **state)
{
    (void)state;
    struct hone_space *space = make_space(5, 4, true);
    for (size_t i = 0; hone_strategies[i]; i++) {
        uint64_t forwards[80], backwards[80];
        ask_in_batches(hone_strategies[i], space, false, forwards);
        ask_in_batches(hone_strategies[i], space, true, backwards);
        assert_memory_equal(forwards, backwards, sizeof forwards);
    }
    hone_space_free(space);
}

// 18 parameters of 10 values: 1e18 configurations, none of them listed anywhere.
static void every_strategy_searches_spaces_beyond_memory(void **state)
{
    (void)state;
    enum { PARAMS = 18, BUDGET = 60 };
    char names[PARAMS][4];
    struct hone_value values[10];
    struct hone_param params[PARAMS];
    for (int i = 0; i < 10; i++)
        values[i] = (struct hone_value){.type = HONE_INT, .i = i};
    for (int i = 0; i < PARAMS; i++) {
        snprintf(names[i], sizeof names[i], "q%d", i);
        params[i] = (struct hone_param){.name = names[i], .values = values, .count = 10};
    }
    const struct hone_space_def def = {.params = params, .param_count = PARAMS};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct hone_search *search = NULL;
        const struct hone_search_options options = {
            .seed = 1, .budget = BUDGET, .design = 10};
        assert_ok(hone_search_new(&search, hone_strategies[i], space, &options, &err),
                  err);
        size_t n = 1, total = 0;
        for (uint64_t index = 0; n; total += n) {
            assert_ok(hone_search_ask(search, &index, 1, &n, &err), err);
            struct hone_trial trial = hone_trial_make(index, HONE_VALID);
            trial.time_us = 1 + (double)(index % 1000);
            if (n) assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        }
        assert_int_equal(total, BUDGET);
        assert_int_equal(hone_search_told(search), BUDGET);
        hone_search_free(search);
    }
    hone_space_free(space);
}

static void start_comes_first_and_then_one_design_for_all_strategies(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 4, false);
    const uint64_t start[] = {200, 3, 200};
    uint64_t design[10];
    bool known = false;
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct run run = new_run(hone_strategies[i]->name, space, 5, 40);
        run.options.start = start;
        run.options.start_count = 3;
        run.options.design = 10;
        run_search(&run, space);
        assert_int_equal(run.asked[0], 200);
        assert_int_equal(run.asked[1], 3);
        if (!run.strategy->ignores_results) {
            if (!known) memcpy(design, run.asked + 2, sizeof design);
            known = true;
            assert_memory_equal(run.asked + 2, design, sizeof design);
        }
        free(run.asked);
    }
    hone_space_free(space);
}

static size_t differing(const struct hone_space *space, uint64_t a, uint64_t b)
{
    uint16_t x[PARAMS_MAX], y[PARAMS_MAX];
    size_t count = 0;
    hone_space_choices(space, a, x);
    hone_space_choices(space, b, y);
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        count += x[i] != y[i];
    return count;
}

// In how many parameters the two most alike of n configurations differ.
static size_t least_apart(const struct hone_space *space, const uint64_t *points,
                          size_t n)
{
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            const size_t d = differing(space, points[i], points[j]);
            if (d < least) least = d;
        }
    return least;
}

static void start_design_is_farther_apart_than_chance(void **state)
{
    (void)state;
    struct hone_space *space = make_space(6, 4, true);
    size_t designed = 0, random = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct hone_shuffle order;
        struct hone_error err = {0};
        uint64_t points[12] = {77}, drawn[12];
        size_t count = 1;
        hone_shuffle_init(&order, hone_space_count(space), seed);
        assert_ok(hone_design_make(space, &order, points, &count, 11, &err), err);
        assert_int_equal(count, 12);
        assert_int_equal(points[0], 77);
        for (size_t i = 0; i < 12; i++)
            drawn[i] = hone_shuffle_at(&order, i);
        designed += least_apart(space, points, 12);
        random += least_apart(space, drawn, 12);
        assert_in_range(least_apart(space, points, 12), 1, 6);
    }
    assert_true(designed > random + 50); // on average by more than one parameter
    hone_space_free(space);
}

static void start_design_follows_the_budget(void **state)
{
    (void)state;
    const uint64_t sizes[][2] = {{0, 0}, {1, 1}, {14, 14}, {15, 5}, {UINT64_MAX, 5}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(hone_design_size(sizes[i][0]), sizes[i][1]);
}

static struct hone_trial start_trial(uint64_t index)
{
    return measured(index, 10 + (double)index);
}

static void known_results_are_never_asked_and_count(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct hone_search *search = NULL;
        struct hone_error err = {0};
        const struct hone_search_options options = {.seed = 1, .budget = 40};
        assert_ok(hone_search_new(&search, hone_strategies[i], space, &options, &err),
                  err);
        for (uint64_t index = 0; index < 30; index++) {
            struct hone_trial trial = start_trial(index);
            assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        }
        uint64_t out[64];
        size_t total = 0, n = 0;
        do {
            assert_ok(hone_search_ask(search, out + total, 64 - total, &n, &err), err);
            total += n;
        } while (n);
        assert_int_equal(total, 10);
        for (size_t j = 0; j < total; j++)
            assert_true(out[j] >= 30);
        hone_search_free(search);
    }
    hone_space_free(space);
}

// --- the engine's own promises ---

static struct hone_search *new_random(const struct hone_space *space,
                                      const struct hone_search_options *options)
{
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_ok(
        hone_search_new(&search, hone_strategy_find("random"), space, options, &err),
        err);
    return search;
}

static void best_is_the_least_valid_cost_and_ties_go_to_the_lower_index(void **state)
{
    (void)state;
    struct hone_space *space = make_space(2, 4, false);
    const struct hone_search_options options = {.budget = UINT64_MAX};
    struct hone_search *search = new_random(space, &options);
    struct hone_trial trials[] = {measured(9, 3),
                                  measured(4, 2),
                                  measured(2, 2),
                                  measured(7, 2),
                                  hone_trial_make(0, HONE_TIMED_OUT),
                                  hone_trial_make(1, HONE_VALID), // not timed: no cost
                                  measured(9, 1)};                // a second result of 9
    struct hone_error err = {0};
    assert_null(hone_search_best(search));
    assert_ok(hone_search_tell(search, trials, 7, &err), err);
    assert_int_equal(hone_search_best(search)->index, 2);
    assert_int_equal(hone_search_told(search), 6);
    double cost = 0;
    assert_true(hone_search_cost(search, 9, &cost));
    assert_true(cost == 3);
    assert_false(hone_search_cost(search, 0, &cost));
    assert_false(hone_search_cost(search, 1, &cost));
    assert_false(hone_search_cost(search, 5, &cost));
    assert_true(hone_search_seen(search, 0));
    assert_false(hone_search_seen(search, 5));
    hone_search_free(search);
    hone_space_free(space);
}

static void foreign_indices_are_refused(void **state)
{
    (void)state;
    struct hone_space *space = make_space(2, 4, false);
    const uint64_t start[] = {16};
    const struct hone_search_options good = {.budget = 1};
    const struct hone_search_options bad = {
        .budget = 1, .start = start, .start_count = 1};
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_search_new(&search, hone_strategies[0], space, &bad, &err),
                     HONE_EINPUT);
    assert_string_equal(err.text, "start configuration 16 is not in a space of 16");
    err = (struct hone_error){0};
    search = new_random(space, &good);
    struct hone_trial trial = measured(99, 1);
    assert_int_equal(hone_search_tell(search, &trial, 1, &err), HONE_EINPUT);
    assert_string_equal(err.text, "trial of configuration 99, the space has 16");
    hone_search_free(search);
    hone_space_free(space);
}

// Proposes what it should not: repeats, indices outside, more than it was asked for.
static size_t bad_ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    (void)search;
    unsigned *calls = priv;
    const uint64_t wrong[] = {3, 3, 1000, UINT64_MAX};
    for (size_t i = 0; i < cap; i++)
        out[i] = wrong[(i + ++*calls) % 4];
    return cap + 5;
}

static void engine_repairs_a_careless_strategy(void **state)
{
    (void)state;
    static const struct hone_strategy_fns careless = {
        .name = "careless", .priv_size = sizeof(unsigned), .ask = bad_ask};
    struct hone_space *space = make_space(3, 3, false);
    for (size_t width = 1; width < 16; width += 7) {
        struct run run = new_run("grid", space, 1, UINT64_MAX);
        run.strategy = &careless;
        run.width = width;
        run_search(&run, space);
        assert_int_equal(run.count, 27);
        assert_all_distinct(&run, 27);
        free(run.asked);
    }
    hone_space_free(space);
}

static enum hone_status bad_init(struct hone_search *search, void *priv,
                                 struct hone_error *err)
{
    (void)search, (void)priv;
    return hone_fail(err, HONE_EUSAGE, "no knobs");
}

static void strategy_that_cannot_start_says_why(void **state)
{
    (void)state;
    static const struct hone_strategy_fns broken = {.name = "broken", .init = bad_init};
    struct hone_space *space = make_space(1, 2, false);
    const struct hone_search_options options = {.budget = 1};
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_int_equal(hone_search_new(&search, &broken, space, &options, &err),
                     HONE_EUSAGE);
    assert_null(search);
    assert_string_equal(err.text, "no knobs");
    hone_space_free(space);
}

static void strategies_are_found_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; hone_strategies[i]; i++) {
        assert_ptr_equal(hone_strategy_find(hone_strategies[i]->name),
                         hone_strategies[i]);
        assert_true(strlen(hone_strategies[i]->description) > 10);
    }
    assert_null(hone_strategy_find("gird"));
}

static void a_corrected_cost_replaces_the_old_one(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_search *search = NULL;
    struct hone_space *space = make_space(2, 4, false);
    const struct hone_search_options options = {.budget = UINT64_MAX};
    assert_ok(
        hone_search_new(&search, hone_strategy_find("random"), space, &options, &err),
        err);
    const struct hone_trial trials[] = {measured(3, 10), measured(5, 12), measured(7, 11),
                                        hone_trial_make(9, HONE_CRASHED)};
    assert_ok(hone_search_tell(search, trials, 4, &err), err);
    struct hone_trial again = measured(3, 13); // the best was lucky
    hone_search_correct(search, &again);
    assert_int_equal(hone_search_best(search)->index, 7);
    again = measured(5, 9);
    hone_search_correct(search, &again);
    assert_int_equal(hone_search_best(search)->index, 5);
    double cost = 0;
    assert_true(hone_search_cost(search, 3, &cost) && cost == 13);
    assert_true(hone_search_cost(search, 5, &cost) && cost == 9);
    again = measured(11, 1); // nobody was told of it
    hone_search_correct(search, &again);
    assert_int_equal(hone_search_best(search)->index, 5);
    assert_int_equal(hone_search_told(search), 4);
    hone_search_free(search);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_strategy_exhausts_tiny_spaces_without_repeating),
    cmocka_unit_test(every_strategy_spends_its_budget),
    cmocka_unit_test(every_strategy_repeats_by_seed),
    cmocka_unit_test(order_of_results_in_a_batch_changes_no_proposal),
    cmocka_unit_test(every_strategy_searches_spaces_beyond_memory),
    cmocka_unit_test(start_comes_first_and_then_one_design_for_all_strategies),
    cmocka_unit_test(start_design_is_farther_apart_than_chance),
    cmocka_unit_test(start_design_follows_the_budget),
    cmocka_unit_test(known_results_are_never_asked_and_count),
    cmocka_unit_test(a_corrected_cost_replaces_the_old_one),
    cmocka_unit_test(best_is_the_least_valid_cost_and_ties_go_to_the_lower_index),
    cmocka_unit_test(foreign_indices_are_refused),
    cmocka_unit_test(engine_repairs_a_careless_strategy),
    cmocka_unit_test(strategy_that_cannot_start_says_why),
    cmocka_unit_test(strategies_are_found_by_name),
};
HONE_TEST_MAIN(tests)
