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

enum { MANY = 300 };

// One value each, but for the last, which has two.
static struct hone_space *many_parameters(const char *config[MANY + 1])
{
    static const struct hone_value values[] = {{.type = HONE_INT, .i = 1},
                                               {.type = HONE_INT, .i = 2}};
    static char names[MANY][8], texts[MANY][16];
    static struct hone_param params[MANY];
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "P%d", i);
        snprintf(texts[i], sizeof texts[i], "P%d=%d", i, i == MANY - 1 ? 2 : 1);
        params[i] = (struct hone_param){names[i], values, i == MANY - 1 ? 2 : 1};
        config[i] = texts[i];
    }
    config[MANY] = NULL;
    const struct hone_space_def def = {.params = params, .param_count = MANY};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

static void a_row_of_many_parameters_is_found(void **state)
{
    (void)state;
    const char *config[MANY + 1];
    struct hone_space *space = many_parameters(config);
    const struct hone_shipped_row shipped = {.config = config};
    struct hone_compared_row row = {.shipped = &shipped};
    struct hone_error err = {0};
    uint64_t index = 7;
    bool found = false;
    assert_ok(hone_comparison_find(&found, &index, &row, space, &err), err);
    if (!found) fail_msg("%s", row.reason);
    assert_int_equal(index, 1);
    config[MANY - 1] = "P299=3";
    assert_ok(hone_comparison_find(&found, &index, &row, space, &err), err);
    assert_false(found);
    assert_string_equal(row.reason, "P299=3 is not in the space any more");
    hone_space_free(space);
}

static void a_rival_of_many_parameters_is_named(void **state)
{
    (void)state;
    const char *config[MANY + 1];
    struct hone_space *space = many_parameters(config);
    struct hone_compared_row row = {.verdict = HONE_VERDICT_SAME};
    struct hone_error err = {0};
    struct hone_trial trials[2];
    for (uint64_t i = 0; i < 2; i++) {
        trials[i] = hone_trial_make(i, HONE_VALID);
        trials[i].predicted_us = 20 - 10 * (double)i;
    }
    assert_ok(hone_comparison_find_rival(&row, space, trials, 2, 0, &err), err);
    assert_true(row.overtaken);
    assert_memory_equal(row.rival, "P0=1 P1=1 P2=1 ", 15);
    assert_int_equal(strlen(row.rival), sizeof row.rival - 1);
    hone_space_free(space);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_interval_is_within_beside_or_across_the_tolerance),
    cmocka_unit_test(a_ratio_has_the_errors_of_both_sides),
    cmocka_unit_test(predictions_compare_to_six_digits),
    cmocka_unit_test(a_row_of_many_parameters_is_found),
    cmocka_unit_test(a_rival_of_many_parameters_is_named),
};
HONE_TEST_MAIN(tests)
