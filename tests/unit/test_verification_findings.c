// What a verification found, counted: causes of failures, fidelity, what stays unwritten.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"
#include "tuning/verification.h"

static struct hone_trial failed(uint64_t index, const char *reason)
{
    struct hone_trial trial = hone_trial_make(index, HONE_WRONG_RESULT);
    trial.reason = reason;
    return trial;
}

static struct hone_trial valid(uint64_t index, const char *fidelity)
{
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.fidelity = fidelity;
    return trial;
}

static void failures_that_differ_in_numbers_and_places_have_one_cause(void **state)
{
    (void)state;
    struct hone_trial trials[] = {
        failed(0, "a barrier is missing"),
        failed(1, "C[3] = 1.5, not -2"),
        failed(2, "C[17] = 8, not 9"),
        valid(3, ""),
        failed(4, "C[1] = 0, not 1 at block (1, 0, 0)"),
        hone_trial_make(5, HONE_UNSUPPORTED),
    };
    const struct hone_verification v = {.trials = trials, .done = 6};
    struct hone_failure_causes causes = hone_failure_causes(&v);
    assert_int_equal(causes.count, 3);
    assert_int_equal(causes.items[0].count, 3);
    assert_ptr_equal(causes.items[0].example, &trials[1]);
    assert_string_equal(causes.items[0].text, "C[#] = #, not #");
    assert_ptr_equal(causes.items[1].example, &trials[0]);
    assert_int_equal(causes.items[2].outcome, HONE_UNSUPPORTED);
    free(causes.items);
}

static void a_fidelity_is_counted_where_it_comes_first(void **state)
{
    (void)state;
    struct hone_trial trials[] = {valid(0, "exact"), valid(1, "approximate"),
                                  valid(2, "exact"), valid(3, ""), failed(4, "")};
    const size_t alike[] = {2, 1, 0, 0, 0};
    const struct hone_verification v = {.trials = trials, .done = 5};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(hone_verification_alike(&v, i), alike[i]);
}

static struct hone_trial with_shared(uint64_t index, int32_t asked, double written)
{
    static struct hone_metric metrics[8];
    assert_true(index < 8);
    struct hone_trial trial = valid(index, "");
    trial.resources.dynamic_shared_bytes = asked;
    metrics[index] = (struct hone_metric){HONE_METRIC_SHARED_WRITTEN, written};
    trial.metric_count = 1;
    trial.metrics = &metrics[index];
    return trial;
}

// Up to 256 bytes and a sixteenth are padding.
static void padding_of_shared_memory_is_not_unwritten(void **state)
{
    (void)state;
    struct hone_trial trials[] = {with_shared(0, 4096, 3840), with_shared(1, 4096, 3839),
                                  with_shared(2, 65536, 61440),
                                  with_shared(3, 65536, 1024)};
    const struct hone_trial *most;
    const struct hone_verification v = {.trials = trials, .done = 4};
    assert_int_equal(hone_trial_unwritten_shared(&trials[0]), 0);
    assert_int_equal(hone_trial_unwritten_shared(&trials[1]), 257);
    assert_int_equal(hone_trial_unwritten_shared(&trials[2]), 0);
    assert_int_equal(hone_verification_unwritten_shared(&v, &most), 2);
    assert_ptr_equal(most, &trials[3]);
    const struct hone_verification none = {.trials = trials, .done = 1};
    assert_int_equal(hone_verification_unwritten_shared(&none, &most), 0);
    assert_null(most);
}

static struct hone_trial with_blocks(uint64_t index, double blocks)
{
    static struct hone_metric metrics[8];
    assert_true(index < 8);
    struct hone_trial trial = valid(index, "");
    metrics[index] = (struct hone_metric){HONE_METRIC_UNTURNED, blocks};
    trial.metric_count = 1;
    trial.metrics = &metrics[index];
    return trial;
}

static void the_fewest_blocks_that_took_no_turns_are_told(void **state)
{
    (void)state;
    struct hone_trial trials[] = {with_shared(0, 4096, 3840), with_blocks(1, 512),
                                  with_blocks(2, 300), with_blocks(3, 900),
                                  with_blocks(4, 257)};
    double fewest = 1;
    struct hone_verification v = {.trials = trials, .done = 1};
    trials[4].outcome = HONE_WRONG_RESULT;
    assert_int_equal(hone_verification_unturned(&v, &fewest), 0);
    assert_true(fewest == 0);
    v.done = 5;
    assert_int_equal(hone_verification_unturned(&v, &fewest), 3);
    assert_true(fewest == 300);
}

static void rejected_and_unsupported_is_no_failure(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_verification v = {.done = 3};
    v.outcomes[HONE_REJECTED] = 1;
    v.outcomes[HONE_UNSUPPORTED] = 1;
    assert_int_equal(hone_verification_verdict(&v, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "none of 3 configurations could be verified");
    v.outcomes[HONE_VALID] = 1;
    assert_int_equal(hone_verification_verdict(&v, &err), HONE_OK);
    v.outcomes[HONE_CRASHED] = 2;
    v.done = 5;
    err = (struct hone_error){0};
    assert_int_equal(hone_verification_verdict(&v, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "2 of 5 configurations failed");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(failures_that_differ_in_numbers_and_places_have_one_cause),
    cmocka_unit_test(a_fidelity_is_counted_where_it_comes_first),
    cmocka_unit_test(padding_of_shared_memory_is_not_unwritten),
    cmocka_unit_test(the_fewest_blocks_that_took_no_turns_are_told),
    cmocka_unit_test(rejected_and_unsupported_is_no_failure),
};
HONE_TEST_MAIN(tests)
