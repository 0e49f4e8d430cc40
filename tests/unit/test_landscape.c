// Random search in closed form against the enumeration of every draw, and scores of
// searches whose score is known.
#include <math.h>

#include "hone/rng.h"
#include "hone_test.h"
#include "score/landscape.h"

enum { SMALL = 7 };

// Mean of the best over all subsets of m of n configurations; failures cost worst.
static double enumerated_best(const double *costs, size_t n, double worst, size_t m)
{
    double sum = 0;
    size_t subsets = 0;
    for (unsigned set = 0; set < 1u << n; set++) {
        if ((size_t)__builtin_popcount(set) != m) continue;
        double best = worst;
        for (size_t i = 0; i < n; i++)
            if (set & 1u << i && costs[i] < best) best = costs[i];
        sum += best;
        subsets++;
    }
    return sum / (double)subsets;
}

static void baseline_is_the_mean_over_all_draws(void **state)
{
    (void)state;
    static const double spaces[][SMALL] = {
        {1, 2, 3, 4, 5, 6, 7},
        {7, 3, 3, 3, 9, 1, 1},
        {4, 4, 4, 4, 4, 4, 4},
        {2, INFINITY, 5, INFINITY, 1.5, INFINITY, 100},
        {INFINITY, INFINITY, INFINITY, 3, INFINITY, INFINITY, INFINITY},
    };
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        struct hone_error err = {0};
        struct hone_landscape l;
        assert_ok(hone_landscape_init(&l, spaces[s], SMALL, 0, &err), err);
        const double worst = l.cost[l.valid - 1];
        for (size_t m = 1; m <= SMALL; m++)
            assert_true(fabs(hone_random_best(l.cost, l.valid, SMALL, m) -
                             enumerated_best(spaces[s], SMALL, worst, m)) < 1e-12);
        hone_landscape_fini(&l);
    }
}

static void all_draws_find_the_optimum_and_none_the_worst(void **state)
{
    (void)state;
    static const double cost[] = {1, 2, 8};
    assert_true(hone_random_best(cost, 3, 5, 5) == 1);
    assert_true(hone_random_best(cost, 3, 5, 0) == 8);
}

static void landscape_of(struct hone_landscape *l, size_t count, size_t failing)
{
    struct hone_error err = {0};
    double *costs = test_calloc(count, sizeof *costs);
    for (size_t i = 0; i < count; i++)
        costs[i] = i < failing
                       ? (double)INFINITY
                       : 10 + 0.25 * (double)(i - failing) * (double)(i - failing);
    assert_ok(hone_landscape_init(l, costs, count, 0, &err), err);
    test_free(costs);
}

static void baseline_falls_with_the_evaluations(void **state)
{
    (void)state;
    struct hone_landscape l;
    landscape_of(&l, 500, 120);
    assert_int_equal(l.count, 500);
    assert_int_equal(l.valid, 380);
    for (size_t m = 1; m <= l.exact.last; m++)
        assert_true(l.exact.value[m] < l.exact.value[m - 1]);
    for (size_t m = 1; m <= l.compatible.last; m++)
        assert_true(l.compatible.value[m] <= l.compatible.value[m - 1]);
    hone_landscape_fini(&l);
}

// 99 of 100 configurations are worse than the target: the one good one is at place 50 of
// a random order on average, after ceil(99 / 2) others.
static void cutoff_counts_what_random_search_needs(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_landscape l;
    double costs[100];
    for (size_t i = 0; i < 100; i++)
        costs[i] = i ? 100 + (double)i : 1;
    assert_ok(hone_landscape_init(&l, costs, 100, 0, &err), err);
    assert_int_equal(hone_landscape_cutoff(&l, 100, HONE_LAST_FRACTION), 50);
    assert_int_equal(l.exact.last, 50);
    assert_int_equal(hone_landscape_cutoff(&l, 100, 1), 1);
    hone_landscape_fini(&l);
    assert_ok(hone_landscape_init(&l, costs, 100, 30, &err), err);
    assert_int_equal(l.exact.last, 30);
    hone_landscape_fini(&l);
}

static void failures_make_the_cutoff_later_but_not_the_compatible_one(void **state)
{
    (void)state;
    struct hone_landscape without, with;
    landscape_of(&without, 300, 0);
    landscape_of(&with, 400, 100);
    assert_true(with.exact.last > without.exact.last);
    assert_int_equal(with.compatible.last, without.compatible.last);
    hone_landscape_fini(&without);
    hone_landscape_fini(&with);
}

static void an_oracle_scores_one_and_the_baseline_zero(void **state)
{
    (void)state;
    struct hone_landscape l;
    landscape_of(&l, 300, 40);
    double *best = test_calloc(l.exact.last, sizeof *best);
    for (size_t m = 0; m < l.exact.last; m++)
        best[m] = l.cost[0];
    assert_true(hone_baseline_score(&l.exact, l.cost[0], best) == 1);
    for (size_t m = 0; m < l.exact.last; m++)
        best[m] = l.exact.value[m + 1];
    assert_true(hone_baseline_score(&l.exact, l.cost[0], best) == 0);
    for (size_t m = 0; m < l.exact.last; m++)
        best[m] = l.exact.value[m + 1] + 1;
    assert_true(hone_baseline_score(&l.exact, l.cost[0], best) < 0);
    test_free(best);
    hone_landscape_fini(&l);
}

static void shuffle(double *costs, size_t n, struct hone_rng *rng)
{
    for (size_t i = n; i-- > 1;) {
        const size_t k = (size_t)hone_rng_below(rng, i + 1);
        const double swapped = costs[i];
        costs[i] = costs[k];
        costs[k] = swapped;
    }
}

// The mean over many random orders is within 4 standard errors of 0, failures or not.
static void random_orders_score_zero(void **state)
{
    (void)state;
    enum { COUNT = 200, RUNS = 4000 };
    for (size_t failing = 0; failing <= 100; failing += 50) {
        struct hone_landscape l;
        struct hone_rng rng;
        double costs[COUNT], best[COUNT], sum = 0, squares = 0;
        landscape_of(&l, COUNT, failing);
        hone_rng_seed(&rng, 5 + failing);
        for (size_t i = 0; i < COUNT; i++)
            costs[i] = i < l.valid ? l.cost[i] : (double)INFINITY;
        for (size_t run = 0; run < RUNS; run++) {
            shuffle(costs, COUNT, &rng);
            for (size_t m = 0; m < COUNT; m++) {
                const double before = m ? best[m - 1] : l.cost[l.valid - 1];
                best[m] = costs[m] < before ? costs[m] : before;
            }
            const double score = hone_baseline_score(&l.exact, l.cost[0], best);
            sum += score;
            squares += score * score;
        }
        const double mean = sum / RUNS;
        const double error = sqrt((squares / RUNS - mean * mean) / RUNS);
        assert_true(error > 0 && error < 0.05);
        assert_true(fabs(mean) < 4 * error);
        hone_landscape_fini(&l);
    }
}

// The published formula is the value at the expected rank: after n draws of n+1 ranks.
static void compatible_baseline_is_the_value_at_the_expected_rank(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_landscape l;
    double costs[9];
    for (size_t i = 0; i < 9; i++)
        costs[i] = (double)(9 - i); // ranks from the worst: 9 is 1, 1 is 9
    assert_ok(hone_landscape_init(&l, costs, 9, 0, &err), err);
    assert_true(l.compatible.last >= 2);
    assert_true(l.compatible.value[1] == 5); // round(1 * 10 / 2) = 5
    assert_true(l.compatible.value[2] == 3); // round(2 * 10 / 3) = 7
    hone_landscape_fini(&l);
}

static void a_flat_space_has_no_score(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_landscape l;
    const double costs[] = {3, 3, 3, 3}, best[] = {3, 3, 3, 3};
    assert_ok(hone_landscape_init(&l, costs, 4, 0, &err), err);
    assert_true(isnan(hone_baseline_score(&l.exact, 3, best)));
    hone_landscape_fini(&l);
}

static void a_space_without_a_valid_configuration_is_refused(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_landscape l;
    const double costs[] = {INFINITY, INFINITY};
    assert_int_equal(hone_landscape_init(&l, costs, 2, 0, &err), HONE_EINPUT);
    assert_string_equal(err.text, "no configuration is valid");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(baseline_is_the_mean_over_all_draws),
    cmocka_unit_test(all_draws_find_the_optimum_and_none_the_worst),
    cmocka_unit_test(baseline_falls_with_the_evaluations),
    cmocka_unit_test(cutoff_counts_what_random_search_needs),
    cmocka_unit_test(failures_make_the_cutoff_later_but_not_the_compatible_one),
    cmocka_unit_test(an_oracle_scores_one_and_the_baseline_zero),
    cmocka_unit_test(random_orders_score_zero),
    cmocka_unit_test(compatible_baseline_is_the_value_at_the_expected_rank),
    cmocka_unit_test(a_flat_space_has_no_score),
    cmocka_unit_test(a_space_without_a_valid_configuration_is_refused),
};

HONE_TEST_MAIN(tests)
