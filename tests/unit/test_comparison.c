// What the time of a shipped row, measured again, says.
#include <math.h>

#include "comparison_judge.h"
#include "hone_test.h"

static void an_interval_is_within_beside_or_across_the_tolerance(void **state)
{
    (void)state;
    static const struct {
        double low, high;
        enum hone_verdict verdict;
    } cases[] = {
        {0.99, 1.01, HONE_VERDICT_SAME},      {0.97, 1.03, HONE_VERDICT_SAME},
        {1.04, 1.2, HONE_VERDICT_SLOWER},     {0.8, 0.96, HONE_VERDICT_FASTER},
        {1.02, 1.04, HONE_VERDICT_AMBIGUOUS}, {0.9, 1.1, HONE_VERDICT_AMBIGUOUS},
        {0.96, 1.0, HONE_VERDICT_AMBIGUOUS},  {0, INFINITY, HONE_VERDICT_AMBIGUOUS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct hone_compared_ratio ratio = {1, cases[i].low, cases[i].high};
        assert_int_equal(hone_verdict_of(ratio, 0.03), cases[i].verdict);
    }
}

// sqrt(pi / 2) s / sqrt(n) of both, added in squares, 1.96 of them to each side.
static void a_ratio_has_the_errors_of_both_sides(void **state)
{
    (void)state;
    const struct hone_shipped measured = {0};
    const struct hone_shipped_row row = {.time_us = 10, .rel_std = 0.03, .samples = 9};
    struct hone_trial now = hone_trial_make(0, HONE_VALID);
    now.time_us = 12;
    now.rel_std = 0.04;
    now.samples = 16;
    struct hone_compared_ratio r = hone_comparison_ratio(&measured, &row, &now);
    const double half = 1.96 * sqrt(acos(-1.0) / 2) * hypot(0.01, 0.01);
    assert_true(fabs(r.ratio - 1.2) < 1e-12);
    assert_true(fabs(r.low - 1.2 * (1 - half)) < 1e-12);
    assert_true(fabs(r.high - 1.2 * (1 + half)) < 1e-12);
    now.samples = 0; // nothing is known of the error
    r = hone_comparison_ratio(&measured, &row, &now);
    assert_true(r.low == 0 && isinf(r.high));
}

static void predictions_compare_to_six_digits(void **state)
{
    (void)state;
    const struct hone_shipped predicted = {.predicted = true};
    const struct hone_shipped_row row = {.time_us = 10};
    struct hone_trial now = hone_trial_make(0, HONE_VALID);
    now.predicted_us = 10;
    const struct hone_compared_ratio r = hone_comparison_ratio(&predicted, &row, &now);
    assert_int_equal(hone_verdict_of(r, 1e-5), HONE_VERDICT_SAME);
    now.predicted_us = 10.001;
    assert_int_equal(hone_verdict_of(hone_comparison_ratio(&predicted, &row, &now), 1e-5),
                     HONE_VERDICT_SLOWER);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_interval_is_within_beside_or_across_the_tolerance),
    cmocka_unit_test(a_ratio_has_the_errors_of_both_sides),
    cmocka_unit_test(predictions_compare_to_six_digits),
};
HONE_TEST_MAIN(tests)
