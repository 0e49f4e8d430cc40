// Contests on a fake machine, and times that cannot be.
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "evaluate/plausible.h"
#include "fake/fake_machine.h"
#include "hone/evaluate.h"
#include "hone_test.h"

static struct hone_device device;

static void open_kernel(struct scale_kernel *k)
{
    struct hone_error err = {0};
    fake_counts = (struct fake_counts){0};
    fake_device_init(&device, HONE_CLOCK_EVENT);
    assert_ok(scale_open(k, &device, &fake_builder_object, 0, 0, &err), err);
}

static void close_kernel(struct scale_kernel *k)
{
    scale_close(k);
    assert_int_equal(fake_counts.tickets, 0);
    assert_int_equal(fake_counts.builds_held, 0);
    assert_int_equal(fake_counts.modules, 0);
    assert_int_equal(fake_counts.blocks, 0);
}

enum { ROUNDS = 4, MODES = 3 };

// samples[round][i] of the three modes.
static void hold_by(struct scale_kernel *k, const enum scale_mode *modes, bool verify,
                    bool sustained, double samples[ROUNDS][MODES])
{
    uint64_t indices[MODES];
    struct hone_error err = {0};
    for (size_t i = 0; i < MODES; i++)
        indices[i] = scale_index(k, modes[i], 0);
    const struct hone_contest contest = {.indices = indices,
                                         .count = MODES,
                                         .rounds = ROUNDS,
                                         .verify = verify,
                                         .sustained = sustained,
                                         .turn_s = sustained ? 0.75 : 0};
    struct hone_evaluator *e = k->evaluator;
    assert_ok(e->fns->contest(e, &contest, &samples[0][0], &err), err);
}

static void hold(struct scale_kernel *k, const enum scale_mode *modes, bool verify,
                 double samples[ROUNDS][MODES])
{
    hold_by(k, modes, verify, false, samples);
}

static void everyone_is_timed_in_every_round(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    open_kernel(&k);
    hold(&k, modes, false, samples);
    assert_int_equal(fake_counts.timings, ROUNDS * MODES);
    for (size_t r = 0; r < ROUNDS; r++)
        for (size_t i = 0; i < MODES; i++)
            assert_true(samples[r][i] == 100 + (double)modes[i]);
    close_kernel(&k);
}

// A round and its reverse: first and last have the same input, and so on to the middle.
static void sustained_rounds_go_back_and_have_inputs_apart(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    open_kernel(&k);
    device.limits.memory_bytes = 1 << 30;
    hold_by(&k, modes, false, true, samples);
    assert_int_equal(fake_counts.sustained, ROUNDS * MODES);
    assert_true(fake_counts.sustained_s == 0.75);
    for (size_t r = 0; r < ROUNDS; r += 2)
        for (size_t i = 0; i < MODES; i++) {
            const void *const *seen = &fake_counts.inputs[r * MODES];
            assert_ptr_equal(seen[i], seen[2 * MODES - 1 - i]);
            assert_ptr_not_equal(seen[i], seen[(i + 1) % MODES]);
        }
    close_kernel(&k);
}

static void without_room_contenders_share_their_inputs(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    open_kernel(&k);
    device.limits.memory_bytes = 1;
    hold_by(&k, modes, false, true, samples);
    for (size_t i = 1; i < ROUNDS * MODES; i++)
        assert_ptr_equal(fake_counts.inputs[i], fake_counts.inputs[0]);
    close_kernel(&k);
}

static void submit(struct scale_kernel *k, enum scale_mode mode)
{
    struct hone_error err = {0};
    struct hone_evaluator *e = k->evaluator;
    assert_ok(e->fns->submit(e, scale_index(k, mode, 1), &err), err);
}

static void check_next(struct scale_kernel *k, enum scale_mode mode)
{
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(k->evaluator->fns->wait(k->evaluator, &trial, 1, &count, &err), err);
    assert_int_equal(count, 1);
    assert_int_equal(trial.index, scale_index(k, mode, 1));
}

static void what_waits_for_its_turn_keeps_it_behind_a_contest(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_NEARLY_RIGHT, SCALE_WRONG};
    open_kernel(&k);
    submit(&k, SCALE_RIGHT);
    submit(&k, SCALE_BROKEN);
    check_next(&k, SCALE_RIGHT);
    submit(&k, SCALE_NEARLY_RIGHT);
    hold(&k, modes, false, samples);
    assert_true(samples[0][0] == 100 && samples[ROUNDS - 1][2] == 102);
    check_next(&k, SCALE_BROKEN);
    submit(&k, SCALE_WRONG);
    check_next(&k, SCALE_NEARLY_RIGHT);
    check_next(&k, SCALE_WRONG);
    close_kernel(&k);
}

static void who_cannot_run_has_no_samples(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_BROKEN, SCALE_RIGHT, SCALE_UNKNOWN};
    open_kernel(&k);
    hold(&k, modes, true, samples);
    for (size_t r = 0; r < ROUNDS; r++) {
        assert_true(isnan(samples[r][0]) && isnan(samples[r][2]));
        assert_true(samples[r][1] == 100);
    }
    close_kernel(&k);
}

static void ignore(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    (void)level;
    (void)line;
}

static void who_is_wrong_after_timing_has_no_samples(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_RAGGED_WRONG,
                                          SCALE_CHANGES_INPUT};
    open_kernel(&k);
    hone_log_set(ignore, NULL);
    hold(&k, modes, true, samples);
    hone_log_set(NULL, NULL);
    for (size_t r = 0; r < ROUNDS; r++) {
        assert_true(samples[r][0] == 100);
        assert_true(isnan(samples[r][1]) && isnan(samples[r][2]));
    }
    close_kernel(&k);
}

static void who_computes_nothing_while_it_is_timed_has_no_samples(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_TIMED_WRONG, SCALE_TIMED_IDLE,
                                          SCALE_RIGHT};
    open_kernel(&k);
    hone_log_set(ignore, NULL);
    hold(&k, modes, false, samples);
    hone_log_set(NULL, NULL);
    for (size_t r = 0; r < ROUNDS; r++) {
        assert_true(isnan(samples[r][0]) && isnan(samples[r][1]));
        assert_true(samples[r][2] == 100);
    }
    close_kernel(&k);
}

static void an_input_that_a_rival_changes_is_nobody_elses_fault(void **state)
{
    (void)state;
    struct scale_kernel k;
    double samples[ROUNDS][MODES];
    const enum scale_mode modes[MODES] = {SCALE_RIGHT, SCALE_CHANGES_INPUT,
                                          SCALE_NEARLY_RIGHT};
    open_kernel(&k);
    hone_log_set(ignore, NULL);
    hold(&k, modes, false, samples);
    hone_log_set(NULL, NULL);
    for (size_t r = 0; r < ROUNDS; r++)
        assert_true(samples[r][0] == 100 && samples[r][2] == 100 + SCALE_NEARLY_RIGHT);
    close_kernel(&k);
}

static void work_beyond_the_machine_is_implausible(void **state)
{
    (void)state;
    const struct hone_limits h200 = {.name = "H200",
                                     .cc_major = 9,
                                     .sm_count = 132,
                                     .sm_clock_khz = 1980000,
                                     .l2_bytes = 60 << 20,
                                     .memory_bandwidth_mbs = 4800000};
    char reason[HONE_REASON_MAX] = "";
    struct hone_job copy = {.bytes = 2e9, .flops = (double)NAN}; // 417 us at 4.8 TB/s
    assert_int_equal(hone_time_plausible(&copy, &h200, false, 420, reason), HONE_VALID);
    assert_int_equal(hone_time_plausible(&copy, &h200, false, 330, reason), HONE_VALID);
    assert_int_equal(hone_time_plausible(&copy, &h200, false, 300, reason),
                     HONE_WRONG_RESULT);
    assert_string_equal(reason,
                        "implausible: 2e+09 bytes in 300 us are 6667 GB/s, H200 has "
                        "4800 and needs at least 322.8 us for them");
    struct hone_job gemm = {.bytes = 1e6, .flops = 2 * 4096.0 * 4096 * 4096};
    assert_int_equal(hone_time_plausible(&gemm, &h200, false, 139, reason),
                     HONE_VALID); // bf16
    assert_int_equal(hone_time_plausible(&gemm, &h200, false, 20, reason),
                     HONE_WRONG_RESULT);
    assert_non_null(strstr(reason, "operations in 20 us"));
}

// 3,530 GB/s of a card that has 864: lines that a kernel kept in L2 outlived the flush.
static void a_cold_time_beyond_the_bandwidth_is_implausible(void **state)
{
    (void)state;
    const struct hone_limits l40 = {
        .name = "L40", .l2_bytes = 96 << 20, .memory_bandwidth_mbs = 864000};
    const struct hone_job_arg args[] = {
        {.kind = HONE_ARG_INPUT, .dtype = HONE_F32, .count = 8 << 20},
        {.kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .count = 1 << 20}};
    struct hone_job job = {.args = args, .arg_count = 2, .flops = (double)NAN};
    char reason[HONE_REASON_MAX] = "";
    job.bytes = 36 << 20; // 38.8 us of input alone, in L2 all of it
    assert_int_equal(hone_time_plausible(&job, &l40, true, 40, reason), HONE_VALID);
    assert_int_equal(hone_time_plausible(&job, &l40, true, 10.7, reason),
                     HONE_WRONG_RESULT);
    assert_string_equal(reason,
                        "implausible: 3.775e+07 bytes in 10.7 us are 3528 GB/s, L40 has "
                        "864 and needs at least 31.07 us for them with a cold L2");
    assert_int_equal(hone_time_plausible(&job, &l40, false, 10.7, reason), HONE_VALID);
    job.bytes = 400 << 20; // what is read again may lie in L2
    assert_int_equal(hone_time_plausible(&job, &l40, true, 320, reason), HONE_VALID);
}

static void unknown_work_or_machine_is_not_judged(void **state)
{
    (void)state;
    const struct hone_limits unknown = {.name = "?"};
    const struct hone_limits known = {.cc_major = 8,
                                      .sm_count = 100,
                                      .sm_clock_khz = 1000000,
                                      .memory_bandwidth_mbs = 1000000};
    const struct hone_job silent = {.bytes = (double)NAN, .flops = (double)NAN};
    const struct hone_job huge = {.bytes = 1e15, .flops = 1e18};
    char reason[HONE_REASON_MAX];
    assert_int_equal(hone_time_plausible(&silent, &known, false, 1e-3, reason),
                     HONE_VALID);
    assert_int_equal(hone_time_plausible(&huge, &unknown, false, 1e-3, reason),
                     HONE_VALID);
    assert_int_equal(hone_time_plausible(&huge, &known, false, (double)NAN, reason),
                     HONE_VALID);
    struct hone_job cached = {.bytes = 1e6, .flops = (double)NAN};
    struct hone_limits l2 = known;
    l2.l2_bytes = 2000000;
    assert_int_equal(hone_time_plausible(&cached, &l2, false, 1e-3, reason), HONE_VALID);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(everyone_is_timed_in_every_round),
    cmocka_unit_test(sustained_rounds_go_back_and_have_inputs_apart),
    cmocka_unit_test(without_room_contenders_share_their_inputs),
    cmocka_unit_test(what_waits_for_its_turn_keeps_it_behind_a_contest),
    cmocka_unit_test(who_cannot_run_has_no_samples),
    cmocka_unit_test(who_is_wrong_after_timing_has_no_samples),
    cmocka_unit_test(who_computes_nothing_while_it_is_timed_has_no_samples),
    cmocka_unit_test(an_input_that_a_rival_changes_is_nobody_elses_fault),
    cmocka_unit_test(work_beyond_the_machine_is_implausible),
    cmocka_unit_test(a_cold_time_beyond_the_bandwidth_is_implausible),
    cmocka_unit_test(unknown_work_or_machine_is_not_judged),
};

HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
