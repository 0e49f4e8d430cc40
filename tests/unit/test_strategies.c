// What each strategy must do beyond what all do: how soon it finds the optimum of small
// spaces, and what it keeps to.
#include "moves.h"
#include "search_fixture.h"

static void grid_goes_in_order(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, true);
    struct run run = new_run("grid", space, 1, UINT64_MAX);
    run.land = rough_bowl;
    run.width = 7;
    run.late_seed = 4;
    run_search(&run, space);
    for (uint64_t i = 0; i < run.count; i++)
        assert_int_equal(run.asked[i], i);
    free(run.asked);
    hone_space_free(space);
}

static void random_ignores_results_and_their_order(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 5, false);
    struct run calm = new_run("random", space, 9, 100),
               late = new_run("random", space, 9, 100);
    late.land = rough_bowl;
    late.width = 9;
    late.late_seed = 2;
    run_search(&calm, space);
    run_search(&late, space);
    assert_memory_equal(calm.asked, late.asked, 100 * sizeof *calm.asked);
    free(calm.asked);
    free(late.asked);
    hone_space_free(space);
}

// Tell the first known results of a run to a new search: it asks for exactly the rest.
static void check_resumed(const char *strategy, const struct hone_space *space,
                          size_t known)
{
    struct run whole = new_run(strategy, space, 4, 80);
    whole.options.design = 10;
    run_search(&whole, space);
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_ok(hone_search_new(&search, whole.strategy, space, &whole.options, &err), err);
    for (size_t i = 0; i < known; i++) {
        struct hone_trial trial = bowl(space, whole.asked[i]);
        assert_ok(hone_search_tell(search, &trial, 1, &err), err);
    }
    for (size_t i = known; i < whole.count; i++) {
        uint64_t index = 0;
        size_t n = 0;
        assert_ok(hone_search_ask(search, &index, 1, &n, &err), err);
        assert_int_equal(n, 1);
        assert_int_equal(index, whole.asked[i]);
    }
    hone_search_free(search);
    free(whole.asked);
}

static void resumed_grid_and_random_go_on_where_they_stopped(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 5, false);
    for (size_t known = 0; known <= 80; known += 8) {
        check_resumed("grid", space, known);
        check_resumed("random", space, known);
    }
    hone_space_free(space);
}

static double mean_evaluations_to_optimum(const char *strategy,
                                          const struct hone_space *space, landscape *land,
                                          size_t width)
{
    enum { RUNS = 20 };
    double total = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct run run = new_run(strategy, space, seed, UINT64_MAX);
        run.options.design = 5;
        run.width = width;
        run.land = land;
        run_search(&run, space);
        size_t i = 0;
        while (land(space, run.asked[i]).outcome != HONE_VALID ||
               land(space, run.asked[i]).time_us > run.best)
            i++;
        total += (double)i + 1;
        free(run.asked);
    }
    return total / RUNS;
}

static void greedy_ils_finds_the_optimum_long_before_random(void **state)
{
    (void)state;
    struct hone_space *space = make_space(5, 4, true); // 512 configurations
    const size_t widths[] = {1, 4, 16};
    for (size_t i = 0; i < 3; i++) {
        double random =
            mean_evaluations_to_optimum("random", space, rough_bowl, widths[i]);
        double local =
            mean_evaluations_to_optimum("greedy_ils", space, rough_bowl, widths[i]);
        assert_true(local < random / 2);
    }
    hone_space_free(space);
}

static void evolution_and_annealing_find_the_optimum_before_random(void **state)
{
    (void)state;
    static const char *const names[] = {"sa", "ga", "de"};
    struct hone_space *space = make_space(5, 4, true); // 512 configurations
    for (size_t width = 1; width <= 16; width *= 4) {
        double random = mean_evaluations_to_optimum("random", space, rough_bowl, width);
        for (size_t i = 0; i < 3; i++) {
            double guided =
                mean_evaluations_to_optimum(names[i], space, rough_bowl, width);
            assert_true(guided < random * 2 / 3);
        }
    }
    hone_space_free(space);
}

static struct hone_trial tall_bowl(const struct hone_space *space, uint64_t index)
{
    struct hone_trial trial = rough_bowl(space, index);
    trial.time_us *= 1048576; // a power of two: ratios stay exact
    return trial;
}

static void unit_of_time_changes_no_proposal(void **state)
{
    (void)state;
    struct hone_space *space = make_space(5, 4, true);
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct run low = new_run(hone_strategies[i]->name, space, 3, 200),
                   high = new_run(hone_strategies[i]->name, space, 3, 200);
        low.land = rough_bowl;
        high.land = tall_bowl;
        run_search(&low, space);
        run_search(&high, space);
        assert_memory_equal(low.asked, high.asked, 200 * sizeof *low.asked);
        free(low.asked);
        free(high.asked);
    }
    hone_space_free(space);
}

// Towards a valid target: there. Towards any other: valid, and no parameter farther away.
static void moves_towards_a_target_stay_valid_and_come_nearer(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 7, true);
    const struct hone_search_options options = {.seed = 2, .budget = 1};
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    struct hone_moves moves = {0};
    assert_ok(hone_search_new(&search, hone_strategies[0], space, &options, &err), err);
    assert_ok(hone_moves_init(&moves, space, &err), err);
    struct hone_rng *rng = hone_search_rng(search);
    for (int i = 0; i < 3000; i++) {
        uint64_t from = hone_rng_below(rng, hone_space_count(space)), want = 0;
        uint16_t before[PARAMS_MAX], after[PARAMS_MAX], target[PARAMS_MAX];
        for (int j = 0; j < 4; j++)
            target[j] = (uint16_t)hone_rng_below(rng, 7);
        memcpy(moves.target, target, 4 * sizeof *target);
        uint64_t to = hone_moves_towards(&moves, rng, from);
        assert_true(to < hone_space_count(space));
        if (hone_space_index(space, target, &want) == HONE_OK) assert_int_equal(to, want);
        hone_space_choices(space, from, before);
        hone_space_choices(space, to, after);
        for (int j = 0; j < 4; j++)
            assert_true(abs(after[j] - target[j]) <= abs(before[j] - target[j]));
        for (int j = 2; j < 4; j++) // the constraint does not bind these
            assert_int_equal(after[j], target[j]);
    }
    hone_moves_fini(&moves);
    hone_search_free(search);
    hone_space_free(space);
}

// Two bowls; the wide one's bottom is a local optimum, so that only a kick gets out.
static struct hone_trial trap(const struct hone_space *space, uint64_t index)
{
    struct hone_trial trial = bowl(space, index);
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, index, choices);
    bool all_last = true;
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        all_last = all_last && choices[i] == hone_space_param(space, i)->count - 1;
    if (all_last) trial.time_us = 0.5;
    return trial;
}

static void greedy_ils_leaves_local_optima(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 6, false);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct run run = new_run("greedy_ils", space, seed, 215);
        run.land = trap;
        run_search(&run, space);
        free(run.asked);
        assert_int_equal(run.count, 215);
    }
    double mean = mean_evaluations_to_optimum("greedy_ils", space, trap, 1);
    assert_true(mean < 200);
    hone_space_free(space);
}

static size_t (*ask_unwatched)(struct hone_search *, void *, uint64_t *, size_t);

static size_t ask_watched(struct hone_search *search, void *priv, uint64_t *out,
                          size_t cap)
{
    const size_t n = ask_unwatched(search, priv, out, cap);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(out[i] != out[k]);
    return n;
}

// What is proposed twice is told once, and the bandit would wait for the other for good.
static void a_bandits_batch_has_no_configuration_twice(void **state)
{
    (void)state;
    struct hone_space *space = make_space(3, 4, false);
    struct hone_strategy_fns watched = *hone_strategy_find("bandit");
    ask_unwatched = watched.ask;
    watched.ask = ask_watched;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct hone_error err = {0};
        struct hone_search *search = NULL;
        const struct hone_search_options options = {.seed = seed, .budget = 64};
        assert_ok(hone_search_new(&search, &watched, space, &options, &err), err);
        for (size_t n = 1; n;) {
            uint64_t asked[8];
            struct hone_trial trials[8];
            assert_ok(hone_search_ask(search, asked, 8, &n, &err), err);
            for (size_t i = 0; i < n; i++)
                trials[i] = bowl(space, asked[i]);
            assert_ok(hone_search_tell(search, trials, n, &err), err);
        }
        hone_search_free(search);
    }
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(grid_goes_in_order),
    cmocka_unit_test(random_ignores_results_and_their_order),
    cmocka_unit_test(a_bandits_batch_has_no_configuration_twice),
    cmocka_unit_test(resumed_grid_and_random_go_on_where_they_stopped),
    cmocka_unit_test(greedy_ils_finds_the_optimum_long_before_random),
    cmocka_unit_test(evolution_and_annealing_find_the_optimum_before_random),
    cmocka_unit_test(unit_of_time_changes_no_proposal),
    cmocka_unit_test(moves_towards_a_target_stay_valid_and_come_nearer),
    cmocka_unit_test(greedy_ils_leaves_local_optima),
};
HONE_TEST_MAIN(tests)
