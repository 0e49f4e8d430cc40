// Outcomes and their names; what a fresh trial says; the figure that is minimised.
#include <math.h>

#include "hone/trial.h"
#include "hone_test.h"

static void outcome_names_roundtrip(void **state)
{
    (void)state;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        enum hone_outcome back = HONE_OUTCOME_COUNT;
        assert_int_equal(
            hone_outcome_parse(&back, hone_outcome_name((enum hone_outcome)i)), HONE_OK);
        assert_int_equal(back, i);
    }
    assert_string_equal(hone_outcome_name(HONE_WRONG_RESULT), "wrong_result");
}

static void unknown_outcome_is_not_found(void **state)
{
    (void)state;
    enum hone_outcome out = HONE_CRASHED;
    assert_int_equal(hone_outcome_parse(&out, "exploded"), HONE_ENOTFOUND);
    assert_int_equal(hone_outcome_parse(&out, ""), HONE_ENOTFOUND);
    assert_int_equal(hone_outcome_parse(&out, "VALID"), HONE_ENOTFOUND);
    assert_int_equal(out, HONE_CRASHED);
    assert_string_equal(hone_outcome_name(HONE_OUTCOME_COUNT), "unknown");
}

static void fresh_trial_knows_nothing(void **state)
{
    (void)state;
    struct hone_trial trial = hone_trial_make(7, HONE_VALID);
    assert_int_equal(trial.index, 7);
    assert_int_equal(trial.outcome, HONE_VALID);
    assert_int_equal(trial.samples, 0);
    assert_true(isnan(trial.time_us) && isnan(trial.predicted_us) &&
                isnan(trial.rel_std));
    assert_true(isnan(trial.build_ms) && isnan(trial.evaluate_ms));
    assert_int_equal(trial.resources.registers, -1);
    assert_int_equal(trial.resources.blocks_per_sm, -1);
    assert_int_equal(trial.metric_count, 0);
    assert_string_equal(trial.reason, "");
}

static void cost_is_the_time_else_the_prediction(void **state)
{
    (void)state;
    struct hone_trial trial = hone_trial_make(0, HONE_VALID);
    assert_true(isinf(hone_trial_cost(&trial)));
    trial.predicted_us = 12.5;
    assert_true(hone_trial_cost(&trial) == 12.5);
    trial.time_us = 10.0;
    assert_true(hone_trial_cost(&trial) == 10.0);
    trial.outcome = HONE_WRONG_RESULT;
    assert_true(isinf(hone_trial_cost(&trial)) && hone_trial_cost(&trial) > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(outcome_names_roundtrip),
    cmocka_unit_test(unknown_outcome_is_not_found),
    cmocka_unit_test(fresh_trial_knows_nothing),
    cmocka_unit_test(cost_is_the_time_else_the_prediction),
};

HONE_TEST_MAIN(tests)
