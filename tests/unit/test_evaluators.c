// The evaluators: the pipeline of the direct one on a fake machine, and replay.
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "fake/scale_bench.h"
#include "hone/evaluate.h"
#include "hone_test.h"

static void trials_come_back_in_order_with_their_figures(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    bench_open(&k, 0, 0);
    struct hone_evaluator *e = k.evaluator;
    assert_int_equal(e->fns->capacity(e), 9); // four of each builder thread, and one
    const enum scale_mode modes[] = {SCALE_NEARLY_RIGHT, SCALE_BROKEN, SCALE_RIGHT};
    for (int i = 0; i < 3; i++)
        assert_ok(e->fns->submit(e, scale_index(&k, modes[i], 0), &err), err);
    struct hone_trial trials[3];
    for (int i = 0; i < 3; i++) {
        size_t count = 0;
        assert_ok(e->fns->wait(e, &trials[i], 3, &count, &err), err);
        assert_int_equal(count, 1);
        assert_int_equal(trials[i].index, scale_index(&k, modes[i], 0));
    }
    assert_int_equal(trials[1].outcome, HONE_BUILD_FAILED);
    assert_true(trials[2].time_us == 100 && trials[2].rel_std == 0.01);
    assert_int_equal(trials[2].samples, 7);
    assert_int_equal(trials[2].metric_count, 1);
    assert_int_equal(trials[2].resources.registers, 10);
    assert_int_equal(trials[2].resources.blocks_per_sm, 4);
    assert_true(trials[2].build_ms == 5);
    size_t count = 9;
    assert_ok(e->fns->wait(e, trials, 3, &count, &err), err);
    assert_int_equal(count, 0); // nothing in flight
    bench_close(&k);
}

static void problem_sizes_in_the_source_are_built_one_by_one(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, 0, 0);
    size_t before = fake_counts.builds;
    bench_evaluate(&k, SCALE_RIGHT, 0);
    assert_int_equal(fake_counts.builds - before, 1);
    bench_close(&k);
    bench_open(&k, SCALE_SIZES_DEFINED, 0);
    before = fake_counts.builds;
    assert_true(bench_evaluate(&k, SCALE_RIGHT, 0).build_ms == 15);
    assert_int_equal(fake_counts.builds - before, 3);
    bench_close(&k);
}

static void equal_images_are_measured_once(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, 0, 0);
    struct hone_trial first = bench_evaluate(&k, SCALE_RIGHT, 0);
    struct hone_trial wrong = bench_evaluate(&k, SCALE_WRONG, 0);
    const struct fake_counts before = fake_counts;
    struct hone_trial second = bench_evaluate(&k, SCALE_RIGHT, 1);
    struct hone_trial also_wrong = bench_evaluate(&k, SCALE_WRONG, 1);
    assert_int_equal(fake_counts.launches, before.launches);
    assert_int_equal(fake_counts.timings, before.timings);
    assert_true(second.time_us == first.time_us && second.samples == first.samples);
    assert_true(second.evaluate_ms == 0 && second.index != first.index);
    assert_string_equal(also_wrong.reason, wrong.reason);
    bench_close(&k);
}

static void timed_inputs_are_random_on_a_device_that_measures(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, 0, 0);
    double first_x = bench_evaluate(&k, SCALE_RIGHT, 0).metrics[0].value;
    assert_true(first_x != 0 && fabs(first_x) <= 1);
    bench_device.clock = HONE_CLOCK_EMULATED;
    bench_close(&k);
    bench_open(&k, 0, HONE_EVALUATE_NO_VERIFY);
    bench_device.clock = HONE_CLOCK_EMULATED; // it predicts from counts
    assert_true(bench_evaluate(&k, SCALE_RIGHT, 0).metrics[0].value == 0);
    bench_close(&k);
}

static void a_prediction_has_the_data_that_its_kernel_steers_by(void **state)
{
    (void)state;
    static const enum scale_mode modes[] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    double first_x[3];
    struct scale_kernel k;
    bench_open(&k, 0, HONE_EVALUATE_NO_VERIFY);
    bench_device.clock = HONE_CLOCK_EMULATED;
    fake_steered_modes = 1u << SCALE_NEARLY_RIGHT;
    for (size_t i = 0; i < 3; i++)
        first_x[i] = bench_evaluate(&k, modes[i], 0).metrics[0].value;
    fake_steered_modes = 0;
    bench_close(&k);
    assert_true(first_x[0] == 0);
    assert_true(first_x[1] != 0 && fabs(first_x[1]) <= 1);
    assert_true(first_x[2] == first_x[1]); // they stay: nothing is lost by them
}

static void the_first_configuration_is_built_while_references_run(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    bench_open(&k, 0, 0);
    const size_t references = fake_counts.builds;
    for (int unused = 0; unused < 2; unused++) {
        hone_evaluator_close(k.evaluator);
        k.evaluator = NULL;
        fake_counts.builds = 0;
        const uint64_t first = scale_index(&k, SCALE_RIGHT, unused ? 1 : 0);
        const struct hone_evaluate_options options = {.data_seed = 1, .first = &first};
        assert_ok(hone_evaluator_direct(&k.evaluator, k.kernel, &bench_device,
                                        &fake_builder_object, &options, &err),
                  err);
        assert_true(fake_counts.builds > references);
        const size_t builds = fake_counts.builds;
        assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
        assert_int_equal(fake_counts.builds > builds, unused); // it was another one
    }
    bench_close(&k);
}

static void too_much_memory_rejects_one_configuration(void **state)
{
    (void)state;
    struct scale_kernel k;
    bench_open(&k, SCALE_SIZE_BY_MODE | SCALE_NO_REFERENCE, 0);
    struct hone_trial trial = bench_evaluate(&k, SCALE_NEARLY_RIGHT, 0);
    assert_int_equal(trial.outcome, HONE_REJECTED);
    assert_non_null(strstr(trial.reason, "no room for 400010240 bytes"));
    assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
    bench_close(&k);
}

static void lost_device_is_reported_after_its_last_trial(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    bench_open(&k, 0, 0);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_STICKY, 0), &err), err);
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_RIGHT, 0), &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    assert_int_equal(trial.outcome, HONE_CRASHED);
    assert_int_equal(e->fns->wait(e, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_int_equal(count, 0);
    assert_string_equal(err.text, "device fake:0 is lost: illegal address, at N=16");
    err = (struct hone_error){0};
    assert_int_equal(e->fns->submit(e, 0, &err), HONE_EDEVICE);
    bench_close(&k);
}

static void device_that_breaks_ends_the_run(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    bench_open(&k, 0, 0);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_UNPLUGGED, 0), &err), err);
    assert_int_equal(e->fns->wait(e, &trial, 1, &count, &err), HONE_EDEVICE);
    assert_string_equal(err.text, "fell off the bus");
    bench_close(&k);
}

static void work_in_flight_is_dropped_on_close(void **state)
{
    (void)state;
    struct scale_kernel k;
    struct hone_error err = {0};
    bench_open(&k, 0, 0);
    struct hone_evaluator *e = k.evaluator;
    for (uint64_t i = 0; i < 3; i++)
        assert_ok(e->fns->submit(e, i, &err), err);
    assert_int_equal(fake_counts.tickets, 3);
    bench_close(&k);
}

static void count_warnings(void *context, enum hone_log_level level, const char *line)
{
    *(int *)context += level == HONE_LOG_WARNING && strstr(line, "has no reference");
}

static void missing_reference_is_a_warning(void **state)
{
    (void)state;
    struct scale_kernel k;
    int warnings = 0;
    hone_log_set(count_warnings, &warnings);
    bench_open(&k, SCALE_NO_REFERENCE, 0);
    hone_log_set(NULL, NULL);
    assert_int_equal(warnings, 1);
    bench_close(&k);
}

// --- replay ---

static struct hone_recording *record_three(void)
{
    char path[96];
    snprintf(path, sizeof path, "%s/replay.jsonl", scale_folder);
    const struct hone_value values[] = {{.type = HONE_INT, .i = 1},
                                        {.type = HONE_INT, .i = 2},
                                        {.type = HONE_INT, .i = 4}};
    const struct hone_param params[] = {{.name = "BM", .values = values, .count = 3}};
    const struct hone_record_info info = {.kernel = "toy",
                                          .params = params,
                                          .param_count = 1,
                                          .clock = "cupti",
                                          .objective = "time_us",
                                          .device_name = "toy",
                                          .device_id = "cuda:0"};
    struct hone_journal *journal = NULL;
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
    for (uint16_t i = 0; i < 3; i++) {
        struct hone_trial trial = hone_trial_make(i, i == 1 ? HONE_CRASHED : HONE_VALID);
        if (i != 1) trial.time_us = 10.0 + i;
        if (i == 1) trial.reason = "illegal address";
        assert_ok(hone_journal_append(journal, &trial, &i, &err), err);
    }
    assert_ok(hone_journal_close(journal, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

static void replay_answers_what_was_recorded(void **state)
{
    (void)state;
    struct hone_recording *recording = record_three();
    struct hone_evaluator *e = NULL;
    struct hone_error err = {0};
    assert_ok(hone_evaluator_replay(&e, recording, &err), err);
    const double times[] = {10, (double)NAN, 12};
    for (uint64_t index = 0; index < 4; index++) {
        struct hone_trial trial;
        size_t count = 0;
        assert_ok(e->fns->submit(e, index, &err), err);
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        assert_int_equal(count, 1);
        assert_int_equal(trial.index, index);
        if (index == 3) {
            assert_int_equal(trial.outcome, HONE_REJECTED);
            assert_string_equal(trial.reason, "not in the recording");
        } else if (index == 1) {
            assert_int_equal(trial.outcome, HONE_CRASHED);
            assert_string_equal(trial.reason, "illegal address");
        } else {
            assert_true(trial.time_us == times[index]);
        }
        assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
        assert_int_equal(count, 0);
    }
    hone_evaluator_close(e);
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(trials_come_back_in_order_with_their_figures),
    cmocka_unit_test(problem_sizes_in_the_source_are_built_one_by_one),
    cmocka_unit_test(equal_images_are_measured_once),
    cmocka_unit_test(timed_inputs_are_random_on_a_device_that_measures),
    cmocka_unit_test(a_prediction_has_the_data_that_its_kernel_steers_by),
    cmocka_unit_test(the_first_configuration_is_built_while_references_run),
    cmocka_unit_test(too_much_memory_rejects_one_configuration),
    cmocka_unit_test(lost_device_is_reported_after_its_last_trial),
    cmocka_unit_test(device_that_breaks_ends_the_run),
    cmocka_unit_test(work_in_flight_is_dropped_on_close),
    cmocka_unit_test(missing_reference_is_a_warning),
    cmocka_unit_test(replay_answers_what_was_recorded),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
