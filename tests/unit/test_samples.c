// The statistics of samples by their properties: median, spread, interval, when enough is
// known, when a race is lost.
#include <math.h>

#include "hone_test.h"

#include "hone/device.h"
#include "hone/rng.h"
#include "sampling.h"

// Log-normal, as timings tend to be: mostly near 1, a tail to the right.
static double draw(struct hone_rng *rng)
{
    double u = 1 - hone_rng_double(rng), v = hone_rng_double(rng);
    return exp(0.2 * sqrt(-2 * log(u)) * cos(2 * acos(-1) * v));
}

static void median_does_not_depend_on_order(void **state)
{
    (void)state;
    const double values[5] = {3, 1, 4, 1.5, 9};
    for (int rotation = 0; rotation < 5; rotation++) {
        double samples[5];
        for (int i = 0; i < 5; i++)
            samples[i] = values[(i * 2 + rotation) % 5];
        struct hone_sample_stats stats = hone_sample_stats_of(samples, 5);
        assert_true(stats.median == 3);
        assert_true(fabs(stats.sum - 18.5) < 1e-12);
        assert_true(isinf(stats.rel_ci));
    }
    double even[] = {4, 1, 3, 2};
    assert_true(hone_sample_stats_of(even, 4).median == 2.5);
}

static void spread_scales_with_the_samples(void **state)
{
    (void)state;
    double a[] = {9, 10, 11, 9, 10, 11, 10}, b[7];
    for (int i = 0; i < 7; i++)
        b[i] = 1000 * a[i];
    struct hone_sample_stats sa = hone_sample_stats_of(a, 7),
                             sb = hone_sample_stats_of(b, 7);
    assert_true(fabs(sa.rel_std - sqrt(4.0 / 6) / 10) < 1e-12);
    assert_true(fabs(sa.rel_std - sb.rel_std) < 1e-12);
    assert_true(fabs(sa.rel_ci - 0.1) < 1e-12); // ranks 1 and 7 of 7
    double one[] = {5};
    assert_true(hone_sample_stats_of(one, 1).rel_std == 0);
}

// Ranks from the binomial distribution, as in the tables of Conover, Practical
// Nonparametric Statistics, A3.
static void ranks_of_the_median_match_the_tables(void **state)
{
    (void)state;
    const size_t table[][2] = {{1, 0},  {5, 0},  {6, 1},  {8, 1},   {9, 2},
                               {10, 2}, {15, 4}, {20, 6}, {30, 10}, {100, 40}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(hone_median_rank(table[i][0], 0.95), table[i][1]);
    assert_in_range(hone_median_rank(10000, 0.95), 4895, 4905); // n/2 - 0.98 sqrt(n)
}

static void interval_covers_the_median_as_often_as_it_says(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    for (size_t n = 6; n <= 40; n += 17) {
        int covered = 0, trials = 4000;
        size_t rank = hone_median_rank(n, 0.95);
        for (int t = 0; t < trials; t++) {
            double samples[40];
            for (size_t i = 0; i < n; i++)
                samples[i] = draw(&rng);
            hone_sample_stats_of(samples, n); // sorts
            covered += samples[rank - 1] <= 1 && 1 <= samples[n - rank];
        }
        assert_true(covered >= 0.94 * trials);
    }
}

static void sampling_stops_by_count_width_or_budget(void **state)
{
    (void)state;
    const struct hone_time_policy policy = hone_time_policy_default;
    struct hone_sample_stats s = {.count = 5, .sum = 9e9, .median = 1, .rel_ci = 0};
    assert_int_equal(hone_timing_next(&s, &policy), 1); // too few, whatever they cost
    s = (struct hone_sample_stats){.count = 6, .sum = 10, .median = 1, .rel_ci = 0.01};
    assert_int_equal(hone_timing_next(&s, &policy), 3);
    s.rel_ci = 0.004;
    assert_int_equal(hone_timing_next(&s, &policy), 0);
    s.rel_ci = 0.01;
    s.sum = 100e3;
    assert_int_equal(hone_timing_next(&s, &policy), 0);
    s.sum = 10;
    s.count = 199;
    assert_int_equal(hone_timing_next(&s, &policy), 1);
    s.count = 200;
    assert_int_equal(hone_timing_next(&s, &policy), 0);
}

static void a_race_is_lost_by_the_margin_or_the_interval(void **state)
{
    (void)state;
    struct hone_time_policy policy = hone_time_policy_default;
    policy.rival_us = 100;
    policy.rival_margin = 0.03;
    assert_int_equal(hone_timing_next(&(struct hone_sample_stats){0}, &policy), 2);
    double one[] = {500}; // a disturbance, perhaps
    struct hone_sample_stats first = hone_sample_stats_of(one, 1);
    assert_true(hone_timing_next(&first, &policy) > 0);
    double slow[] = {103.5, 140};
    struct hone_sample_stats s = hone_sample_stats_of(slow, 2);
    assert_int_equal(hone_timing_next(&s, &policy), 0);
    double close[] = {102.5, 140}; // the faster one may be the true one
    s = hone_sample_stats_of(close, 2);
    assert_int_equal(hone_timing_next(&s, &policy), 4);
    double above[] = {101, 102, 103, 104, 105, 106}; // all six above the rival
    s = hone_sample_stats_of(above, 6);
    assert_int_equal(hone_timing_next(&s, &policy), 0);
    double around[] = {99, 102, 103, 104, 105, 106};
    s = hone_sample_stats_of(around, 6);
    assert_int_equal(hone_timing_next(&s, &policy), 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(median_does_not_depend_on_order),
    cmocka_unit_test(spread_scales_with_the_samples),
    cmocka_unit_test(ranks_of_the_median_match_the_tables),
    cmocka_unit_test(interval_covers_the_median_as_often_as_it_says),
    cmocka_unit_test(sampling_stops_by_count_width_or_budget),
    cmocka_unit_test(a_race_is_lost_by_the_margin_or_the_interval),
};
HONE_TEST_MAIN(tests)
