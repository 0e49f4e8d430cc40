// Calibration of predictions, and the figures that say how good they are.
#include "calibrate.h"

#include <math.h>
#include <string.h>

#include "accuracy.h"
#include "hone/rng.h"
#include "hone_test.h"

enum { COUNT = 40 };

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

// Blocks of all kinds; measured as predicted but for a factor, and slower the more their
// first feature has of something the model does not know.
static void make_points(struct hone_calibration_point *points, double unknown)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 9);
    for (int i = 0; i < COUNT; i++) {
        struct hone_calibration_point *p = &points[i];
        *p = (struct hone_calibration_point){.predicted_us =
                                                 20 * exp(2 * hone_rng_double(&rng))};
        for (int k = 0; k < HONE_CALIBRATION_FEATURES; k++)
            p->feature[k] = 4 * hone_rng_double(&rng);
        p->measured_us = 2 * p->predicted_us * exp(unknown * p->feature[0]);
    }
}

static void a_factor_is_found_and_keeps_the_order(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    make_points(points, 0.0);
    assert_true(hone_calibration_fit(&calibration, points, 10));
    assert_int_equal(calibration.points, 10);
    for (int i = 0; i < COUNT; i++)
        assert_near(hone_calibration_apply(&calibration, &points[i]) /
                        points[i].predicted_us,
                    2.0);
}

// Of the points that no fit has seen.
static double error_of(const struct hone_calibration *calibration,
                       const struct hone_calibration_point *points)
{
    struct accuracy_pair pairs[COUNT];
    const int seen = COUNT / 2;
    for (int i = seen; i < COUNT; i++)
        pairs[i - seen] = (struct accuracy_pair){
            hone_calibration_apply(calibration, &points[i]), points[i].measured_us};
    return accuracy_scaled_error(pairs, COUNT - seen);
}

static void what_the_model_misses_is_learnt_with_more_points(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration none = {0}, few, many;
    make_points(points, 0.4);
    assert_true(hone_calibration_fit(&few, points, COUNT / 4));
    assert_true(hone_calibration_fit(&many, points, COUNT / 2));
    assert_true(error_of(&few, points) < error_of(&none, points));
    assert_true(error_of(&many, points) < error_of(&few, points));
}

static void far_from_all_points_one_factor_is_left(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT], far[2];
    struct hone_calibration calibration;
    make_points(points, 0.4);
    assert_true(hone_calibration_fit(&calibration, points, COUNT));
    for (int i = 0; i < 2; i++) {
        far[i] = (struct hone_calibration_point){.predicted_us = 10 + 90 * i};
        for (int k = 0; k < HONE_CALIBRATION_FEATURES; k++)
            far[i].feature[k] = i ? 500 : -500;
    }
    assert_near(hone_calibration_apply(&calibration, &far[1]) /
                    hone_calibration_apply(&calibration, &far[0]),
                10.0);
}

static void one_time_far_off_is_cut(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    make_points(points, 0.1);
    points[3].measured_us *= 1000;
    assert_true(hone_calibration_fit(&calibration, points, COUNT / 2));
    for (int i = COUNT / 2; i < COUNT; i++)
        assert_true(fabs(log(hone_calibration_apply(&calibration, &points[i]) /
                             points[i].measured_us)) < 0.5);
}

static void equal_configurations_are_fitted(void **state)
{
    (void)state;
    struct hone_calibration_point points[COUNT];
    struct hone_calibration calibration;
    make_points(points, 0.4);
    for (int i = 1; i < COUNT; i++)
        points[i] = points[0];
    assert_true(hone_calibration_fit(&calibration, points, COUNT));
    assert_near(hone_calibration_apply(&calibration, &points[0]) / points[0].measured_us,
                1.0);
}

static void unusable_points_are_refused(void **state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    struct hone_calibration calibration;
    struct hone_calibration_point points[HONE_CALIBRATION_MAX_POINTS + 1];
    make_points(points, 0.5);
    for (int i = COUNT; i <= HONE_CALIBRATION_MAX_POINTS; i++)
        points[i] = points[i - COUNT];
    assert_false(
        hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MIN_POINTS - 1));
    assert_true(hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MIN_POINTS));
    assert_true(hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MAX_POINTS));
    assert_false(
        hone_calibration_fit(&calibration, points, HONE_CALIBRATION_MAX_POINTS + 1));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        make_points(points, 0.5);
        points[5].measured_us = bad[i];
        assert_false(hone_calibration_fit(&calibration, points, COUNT));
    }
    make_points(points, 0.5);
    points[5].feature[1] = (double)NAN;
    assert_false(hone_calibration_fit(&calibration, points, COUNT));
}

static void a_point_needs_the_figures_of_a_prediction(void **state)
{
    (void)state;
    struct hone_calibration_point point;
    struct hone_trial trial = hone_trial_make(3, HONE_VALID);
    const struct hone_metric metrics[] = {{"pipe_cycles", 100}, {"blocks_per_sm", 4},
                                          {"path_cycles", 800}, {"issued_per_block", 50},
                                          {"sm_us", 18},        {"warps_per_block", 8}};
    const size_t count = sizeof metrics / sizeof *metrics;
    struct hone_metric told[sizeof metrics / sizeof *metrics];
    memcpy(told, metrics, sizeof metrics);
    trial.metrics = told;
    trial.metric_count = (uint32_t)count;
    trial.time_us = 30;
    assert_false(hone_calibration_point(&point, &trial)); // not predicted
    trial.predicted_us = 20;
    assert_true(hone_calibration_point(&point, &trial));
    assert_near(point.feature[0], log(32) / 0.4);
    assert_true(point.measured_us == 30 && point.predicted_us == 20);
    for (size_t i = 0; i < count; i++) { // each is needed
        told[i].value = 0;
        assert_false(hone_calibration_point(&point, &trial));
        told[i] = metrics[i];
    }
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
    cmocka_unit_test(what_the_model_misses_is_learnt_with_more_points),
    cmocka_unit_test(far_from_all_points_one_factor_is_left),
    cmocka_unit_test(one_time_far_off_is_cut),
    cmocka_unit_test(equal_configurations_are_fitted),
    cmocka_unit_test(unusable_points_are_refused),
    cmocka_unit_test(a_point_needs_the_figures_of_a_prediction),
    cmocka_unit_test(spearman_is_of_ranks),
    cmocka_unit_test(top_is_the_best_of_the_chosen),
    cmocka_unit_test(random_choice_is_the_mean_over_all_choices),
    cmocka_unit_test(error_is_after_one_factor),
};
HONE_TEST_MAIN(tests)
