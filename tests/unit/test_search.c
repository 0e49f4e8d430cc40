// Strategies and their engine: what every strategy must do, on spaces small enough to see
// whole.
#include <math.h>
#include <string.h>

#include "history.h"
#include "hone/search.h"
#include "hone_test.h"
#include "moves.h"
#include "rng.h"
#include "shuffle.h"

// --- spaces and landscapes ---

enum { PARAMS_MAX = 8, VALUES_MAX = 8 };

// params parameters of values values each, p0 + p1 odd only when odd is set.
static struct hone_space *make_space(size_t params, size_t values, bool odd)
{
    static const char *const names[PARAMS_MAX] = {"p0", "p1", "p2", "p3",
                                                  "p4", "p5", "p6", "p7"};
    struct hone_value numbers[VALUES_MAX];
    struct hone_param list[PARAMS_MAX];
    for (size_t i = 0; i < values; i++)
        numbers[i] = (struct hone_value){.type = HONE_INT, .i = (int64_t)i};
    for (size_t i = 0; i < params; i++)
        list[i] =
            (struct hone_param){.name = names[i], .values = numbers, .count = values};
    const struct hone_constraint constraint = {.text = "(p0 + p1) % 2 == 1"};
    const struct hone_space_def def = {.params = list,
                                       .param_count = params,
                                       .constraints = &constraint,
                                       .constraint_count = odd};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

typedef struct hone_trial landscape(const struct hone_space *space, uint64_t index);

static struct hone_trial measured(uint64_t index, double time_us)
{
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = time_us;
    return trial;
}

// Each parameter has its own best value: 1 + sum of (choice - best)^2.
static struct hone_trial bowl(const struct hone_space *space, uint64_t index)
{
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, index, choices);
    double cost = 1;
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        double best = (double)((i * 5 + 2) % hone_space_param(space, i)->count);
        cost += (choices[i] - best) * (choices[i] - best);
    }
    return measured(index, cost);
}

static struct hone_trial rough_bowl(const struct hone_space *space, uint64_t index)
{
    if (index % 3 == 1) return hone_trial_make(index, HONE_LAUNCH_FAILED);
    return bowl(space, index);
}

static struct hone_trial desert(const struct hone_space *space, uint64_t index)
{
    (void)space;
    return hone_trial_make(index, HONE_BUILD_FAILED);
}

static struct hone_trial plain(const struct hone_space *space, uint64_t index)
{
    (void)space;
    return measured(index, 1);
}

static landscape *const landscapes[] = {bowl, rough_bowl, desert, plain};
enum { LANDSCAPES = sizeof landscapes / sizeof *landscapes };

// --- a run ---

struct run {
    const struct hone_strategy_fns *strategy;
    struct hone_search_options options;
    landscape *land;
    size_t width;       // evaluations in flight
    uint64_t late_seed; // 0: results in the order asked; else in a random order
    uint64_t *asked;    // out, room for the whole space
    size_t count;       // out
    double best;        // out; INFINITY when nothing is valid
};

static void run_search(struct run *run, const struct hone_space *space)
{
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_ok(hone_search_new(&search, run->strategy, space, &run->options, &err), err);
    struct hone_rng late;
    hone_rng_seed(&late, run->late_seed);
    uint64_t flying[16];
    size_t in_flight = 0;
    for (;;) {
        size_t n = 0;
        assert_ok(
            hone_search_ask(search, flying + in_flight, run->width - in_flight, &n, &err),
            err);
        for (size_t i = 0; i < n; i++) {
            assert_in_range(run->count, 0, hone_space_count(space) - 1);
            run->asked[run->count++] = flying[in_flight++];
        }
        if (!in_flight) break;
        size_t which = run->late_seed ? (size_t)hone_rng_below(&late, in_flight) : 0;
        struct hone_trial trial = run->land(space, flying[which]);
        memmove(flying + which, flying + which + 1,
                (--in_flight - which) * sizeof *flying);
        assert_true(hone_search_pending(search, trial.index));
        assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        assert_false(hone_search_pending(search, trial.index));
    }
    assert_int_equal(hone_search_told(search), run->count);
    const struct hone_trial *best = hone_search_best(search);
    run->best = best ? best->time_us : (double)INFINITY;
    hone_search_free(search);
}

static struct run new_run(const char *strategy, const struct hone_space *space,
                          uint64_t seed, uint64_t budget)
{
    struct run run = {.strategy = hone_strategy_find(strategy),
                      .options = {.seed = seed, .budget = budget},
                      .land = bowl,
                      .width = 1};
    assert_non_null(run.strategy);
    run.asked = calloc(hone_space_count(space), sizeof *run.asked);
    assert_non_null(run.asked);
    return run;
}

static void assert_all_distinct(const struct run *run, uint64_t space_count)
{
    bool *seen = calloc(space_count, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < run->count; i++) {
        assert_true(run->asked[i] < space_count);
        assert_false(seen[run->asked[i]]);
        seen[run->asked[i]] = true;
    }
    free(seen);
}

// --- the random order and the history ---

static void shuffle_is_a_permutation_for_every_count(void **state)
{
    (void)state;
    bool seen[300];
    for (uint64_t count = 1; count <= 300; count++) {
        struct hone_shuffle shuffle;
        hone_shuffle_init(&shuffle, count, count * 7);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < count; i++) {
            uint64_t x = hone_shuffle_at(&shuffle, i);
            assert_true(x < count);
            assert_false(seen[x]);
            seen[x] = true;
        }
    }
}

static void shuffle_reaches_into_the_largest_spaces(void **state)
{
    (void)state;
    const uint64_t count = UINT64_MAX - 5;
    struct hone_shuffle shuffle;
    hone_shuffle_init(&shuffle, count, 1);
    uint64_t high = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t x = hone_shuffle_at(&shuffle, i);
        assert_true(x < count);
        high += x > count / 2;
    }
    assert_in_range(high, 430, 570);
}

static void shuffle_is_fair(void **state)
{
    (void)state;
    enum { COUNT = 7, SEEDS = 42000 };
    unsigned pairs[COUNT][COUNT] = {{0}}; // of the first two elements
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct hone_shuffle shuffle;
        hone_shuffle_init(&shuffle, COUNT, seed);
        pairs[hone_shuffle_at(&shuffle, 0)][hone_shuffle_at(&shuffle, 1)]++;
    }
    for (int i = 0; i < COUNT; i++) // 1000 expected, standard deviation 32
        for (int j = 0; j < COUNT; j++)
            assert_in_range(pairs[i][j], i == j ? 0 : 840, i == j ? 0 : 1160);
}

static void history_agrees_with_a_plain_array(void **state)
{
    (void)state;
    enum { RANGE = 5000 };
    static enum hone_known known[RANGE];
    struct hone_history history = {0};
    struct hone_error err = {0};
    struct hone_rng rng;
    hone_rng_seed(&rng, 3);
    assert_null(hone_history_find(&history, 0));
    for (int i = 0; i < 20000; i++) {
        uint64_t key = hone_rng_below(&rng, RANGE);
        enum hone_known value = (enum hone_known)(1 + hone_rng_below(&rng, 3));
        assert_ok(hone_history_reserve(&history, 1, &err), err);
        hone_history_set(&history, key << 40, value, (double)key);
        known[key] = value;
    }
    size_t count = 0;
    for (uint64_t key = 0; key < RANGE; key++) {
        const struct hone_history_entry *entry = hone_history_find(&history, key << 40);
        assert_int_equal(entry ? entry->known : HONE_KNOWN_NOT, known[key]);
        count += known[key] != HONE_KNOWN_NOT;
    }
    assert_int_equal(history.count, count);
    hone_history_fini(&history);
}

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

static void start_comes_first_and_then_one_design_for_all_strategies(void **state)
{
    (void)state;
    struct hone_space *space = make_space(4, 4, false);
    const uint64_t start[] = {200, 3, 200};
    uint64_t design[10];
    for (size_t i = 0; hone_strategies[i]; i++) {
        struct run run = new_run(hone_strategies[i]->name, space, 5, 40);
        run.options.start = start;
        run.options.start_count = 3;
        run.options.design = 10;
        run_search(&run, space);
        assert_int_equal(run.asked[0], 200);
        assert_int_equal(run.asked[1], 3);
        if (i == 0) memcpy(design, run.asked + 2, sizeof design);
        assert_memory_equal(run.asked + 2, design, sizeof design);
        free(run.asked);
    }
    hone_space_free(space);
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

// --- single strategies ---

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
        for (size_t i = 0; i < 3; i++)
            assert_true(mean_evaluations_to_optimum(names[i], space, rough_bowl, width) <
                        random * 0.6);
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
        uint64_t to = hone_moves_towards(&moves, search, from);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shuffle_is_a_permutation_for_every_count),
    cmocka_unit_test(shuffle_reaches_into_the_largest_spaces),
    cmocka_unit_test(shuffle_is_fair),
    cmocka_unit_test(history_agrees_with_a_plain_array),
    cmocka_unit_test(every_strategy_exhausts_tiny_spaces_without_repeating),
    cmocka_unit_test(every_strategy_spends_its_budget),
    cmocka_unit_test(every_strategy_repeats_by_seed),
    cmocka_unit_test(start_comes_first_and_then_one_design_for_all_strategies),
    cmocka_unit_test(known_results_are_never_asked_and_count),
    cmocka_unit_test(grid_goes_in_order),
    cmocka_unit_test(random_ignores_results_and_their_order),
    cmocka_unit_test(resumed_grid_and_random_go_on_where_they_stopped),
    cmocka_unit_test(greedy_ils_finds_the_optimum_long_before_random),
    cmocka_unit_test(evolution_and_annealing_find_the_optimum_before_random),
    cmocka_unit_test(unit_of_time_changes_no_proposal),
    cmocka_unit_test(moves_towards_a_target_stay_valid_and_come_nearer),
    cmocka_unit_test(greedy_ils_leaves_local_optima),
    cmocka_unit_test(best_is_the_least_valid_cost_and_ties_go_to_the_lower_index),
    cmocka_unit_test(foreign_indices_are_refused),
    cmocka_unit_test(engine_repairs_a_careless_strategy),
    cmocka_unit_test(strategy_that_cannot_start_says_why),
    cmocka_unit_test(strategies_are_found_by_name),
};
HONE_TEST_MAIN(tests)
