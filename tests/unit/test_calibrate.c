// Calibration of predictions, and the figures that say how good they are.
#include "calibrate.h"

#include <math.h>
#include <string.h>

#include "accuracy.h"
#include "hone_test.h"
#include "rng.h"

enum { COUNT = 40 };

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

enum { ISSUE, ALU, MEMORY, PATH };

// Blocks of several kinds; measured as the model would with loads and stores that take
// slower times as long, then doubled.
static void make_points(struct hone_calibration_point *points, double slower)
{
    struct hone_rng rng;
    struct hone_calibration truth = {.shift = log(2)};
    truth.rate[MEMORY] = log(slower);
    hone_rng_seed(&rng, 9);
    for (int i = 0; i < COUNT; i++) {
        struct hone_calibration_point *p = &points[i];
        *p = (struct hone_calibration_point){
            .blocks = 1 + (double)hone_rng_below(&rng, 16),
            .memory_us = 5,
            .sm_us = 20 * exp(2 * hone_rng_double(&rng))};
        for (int k = 0; k < PATH; k++)
            p->cycles[k] = 1000 * exp(2 * hone_rng_double(&rng));
        p->cycles[PATH] = 3000 * exp(hone_rng_double(&rng));
        p->predicted_us = p->sm_us + 1.5;
        p->measured_us = hone_calibration_apply(&truth, p);
    }
}

static void a_factor_is_found_and_keeps_the_order(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    make_points(points, 1.0);
    assert_true(hone_calibration_fit(&calibration, points, 10));
    assert_int_equal(calibration.points, 10);
    for (int i = 0; i < COUNT; i++) {
        assert_near(points[i].measured_us / points[i].predicted_us, 2.0);
        assert_near(hone_calibration_apply(&calibration, &points[i]) /
                        points[i].measured_us,
                    1.0);
    }
}

static double error_of(const struct hone_calibration *calibration,
                       const struct hone_calibration_point *points)
{
    struct accuracy_pair pairs[COUNT];
    for (int i = 0; i < COUNT; i++)
        pairs[i] = (struct accuracy_pair){hone_calibration_apply(calibration, &points[i]),
                                          points[i].measured_us};
    return accuracy_scaled_error(pairs, COUNT);
}

static void a_slow_pipe_is_learnt_with_more_points(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration none = {0}, few, many;
    make_points(points, 2.0);
    assert_true(hone_calibration_fit(&few, points, 10));
    assert_true(hone_calibration_fit(&many, points, COUNT));
    assert_true(many.rate[MEMORY] > many.rate[ALU] + 0.3);
    assert_true(many.rate[MEMORY] > many.rate[ISSUE] + 0.3);
    assert_true(error_of(&few, points) < error_of(&none, points));
    assert_true(error_of(&many, points) < 0.5 * error_of(&none, points));
}

// Times that have nothing to do with the counts: the strongest penalty is chosen, and the
// prediction keeps its order nearly.
static void noise_is_not_learnt(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    struct hone_rng rng;
    make_points(points, 1.0);
    hone_rng_seed(&rng, 4);
    for (int i = 0; i < COUNT; i++)
        points[i].measured_us *= exp(hone_rng_double(&rng) - 0.5);
    assert_true(hone_calibration_fit(&calibration, points, 20));
    for (int k = 0; k < HONE_CALIBRATION_RATES; k++)
        assert_true(fabs(calibration.rate[k]) < 0.2);
}

static void a_kernel_that_uses_one_pipe_is_fitted(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    make_points(points, 1.0);
    for (int i = 0; i < COUNT; i++)
        points[i].cycles[ALU] = points[i].cycles[MEMORY] = 0;
    assert_true(hone_calibration_fit(&calibration, points, COUNT));
    assert_true(isfinite(hone_calibration_apply(&calibration, &points[0])));
}

static void unusable_points_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    struct hone_calibration calibration;
    struct hone_calibration_point points[COUNT];
    make_points(points, 1.5);
    assert_false(
        hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MIN_POINTS - 1));
    assert_true(hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MIN_POINTS));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        make_points(points, 1.5);
        points[5].measured_us = bad[i];
        assert_false(hone_calibration_fit(&calibration, points, COUNT));
    }
    make_points(points, 1.5);
    points[5].cycles[1] = (double)NAN;
    assert_false(hone_calibration_fit(&calibration, points, COUNT));
}

static void a_point_needs_the_figures_of_a_prediction(void **state)
{
    (void)state;
    struct hone_calibration_point point;
    struct hone_trial trial = hone_trial_make(3, HONE_VALID);
    const struct hone_metric metrics[] = {{"issue_cycles", 90},  {"alu_cycles", 100},
                                          {"memory_cycles", 80}, {"sm_us", 18},
                                          {"l2_us", 3},          {"dram_us", 0},
                                          {"blocks_per_sm", 4},  {"path_cycles", 800}};
    memcpy(trial.metrics, metrics, sizeof metrics);
    trial.metric_count = 8;
    trial.time_us = 30;
    assert_false(hone_calibration_point(&point, &trial)); // not predicted
    trial.predicted_us = 20;
    assert_true(hone_calibration_point(&point, &trial));
    assert_true(point.cycles[ALU] == 100 && point.cycles[PATH] == 800);
    assert_near(point.memory_us, 3);
    assert_true(point.measured_us == 30 && point.predicted_us == 20);
    trial.metric_count = 7;
    assert_false(hone_calibration_point(&point, &trial));
}

// ---- accuracy ----

static void spearman_is_of_ranks(void **state)
{
    (void)state;
    const struct accuracy_pair same[] = {{1, 10}, {2, 20}, {3, 1000}};
    const struct accuracy_pair opposite[] = {{1, 30}, {2, 20}, {3, 10}};
    const struct accuracy_pair flat[] = {{1, 30}, {1, 20}};
    // ranks 1 2.5 2.5 4 and 1 3 2 4: 1 - 6 * 0.5 / 60 without ties; 4.5 / sqrt(4.5 * 5)
    const struct accuracy_pair tied[] = {{1, 1}, {2, 3}, {2, 2}, {3, 4}};
    assert_near(accuracy_spearman(same, 3), 1.0);
    assert_near(accuracy_spearman(opposite, 3), -1.0);
    assert_near(accuracy_spearman(tied, 4), 4.5 / sqrt(22.5));
    assert_true(isnan(accuracy_spearman(flat, 2)));
    assert_true(isnan(accuracy_spearman(same, 1)));
}

static void top_is_the_best_of_the_chosen(void **state)
{
    (void)state;
    const struct accuracy_pair pairs[] = {{3, 10}, {1, 40}, {2, 20}, {4, 30}};
    assert_near(accuracy_top(pairs, 4, 1), 10.0 / 40);
    assert_near(accuracy_top(pairs, 4, 2), 10.0 / 20);
    assert_near(accuracy_top(pairs, 4, 3), 1.0);
}

static void random_choice_is_the_mean_over_all_choices(void **state)
{
    (void)state;
    const struct accuracy_pair pairs[] = {{1, 10}, {2, 20}, {3, 40}};
    assert_near(accuracy_random(pairs, 3, 1), (1 + 0.5 + 0.25) / 3);
    // of the three choices of two, two have the best and one the second
    assert_near(accuracy_random(pairs, 3, 2), (1 + 1 + 0.5) / 3);
    assert_near(accuracy_random(pairs, 3, 3), 1.0);
}

static void error_is_after_one_factor(void **state)
{
    (void)state;
    const struct accuracy_pair scaled[] = {{1, 7}, {2, 14}, {5, 35}};
    const struct accuracy_pair off[] = {{1, 1}, {4, 1}};
    assert_near(accuracy_scaled_error(scaled, 3), 0.0);
    assert_near(accuracy_scaled_error(off, 2), (0.5 + 1) / 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_factor_is_found_and_keeps_the_order),
    cmocka_unit_test(a_slow_pipe_is_learnt_with_more_points),
    cmocka_unit_test(noise_is_not_learnt),
    cmocka_unit_test(a_kernel_that_uses_one_pipe_is_fitted),
    cmocka_unit_test(unusable_points_are_refused),
    cmocka_unit_test(a_point_needs_the_figures_of_a_prediction),
    cmocka_unit_test(spearman_is_of_ranks),
    cmocka_unit_test(top_is_the_best_of_the_chosen),
    cmocka_unit_test(random_choice_is_the_mean_over_all_choices),
    cmocka_unit_test(error_is_after_one_factor),
};
HONE_TEST_MAIN(tests)
