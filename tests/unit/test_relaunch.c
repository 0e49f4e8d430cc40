// The launches after those that verify, on a fake machine: how many there are and where,
// the memory that they take, and devices that are lost in them.
#include <string.h>

#include "base/host_memory.h"
#include "fake/scale_bench.h"
#include "hone/evaluate.h"
#include "hone_test.h"
#include "relaunch.h"

// The kernel is wrong from launch wrong_from on, and launch lost_at takes the device with
// it. Was there such a launch? Then its configuration has a trial, and the next one none.
static bool is_lost_at(unsigned flags, size_t wrong_from, size_t lost_at)
{
    struct scale_kernel k;
    struct hone_error err = {0};
    fake_late = (struct fake_late){wrong_from, SIZE_MAX, lost_at};
    bench_open(&k, flags, HONE_EVALUATE_NO_TIME);
    struct hone_evaluator *e = k.evaluator;
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_LATE, 0), &err), err);
    assert_ok(e->fns->submit(e, scale_index(&k, SCALE_RIGHT, 0), &err), err);
    assert_ok(e->fns->wait(e, &trial, 1, &count, &err), err);
    const bool lost = fake_counts.launches >= lost_at;
    if (lost) assert_int_not_equal(trial.outcome, HONE_VALID);
    if (!lost && !wrong_from) assert_int_equal(trial.outcome, HONE_VALID);
    const enum hone_status next = e->fns->wait(e, &trial, 1, &count, &err);
    assert_int_equal(next, lost ? HONE_EDEVICE : HONE_OK);
    if (lost && strncmp(err.text, "device fake:0 is lost: ", 23) != 0)
        fail_msg("%s", err.text);
    bench_close(&k);
    return lost;
}

static void device_lost_in_any_launch_is_reported_after_its_trial(void **state)
{
    (void)state;
    enum { REFERENCES = 6, MOST_WRONG = 20, AGAIN = 12 };
    static const unsigned flags[] = {0, SCALE_NO_REFERENCE, SCALE_NO_VERIFY_SIZES};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        for (size_t wrong_from = 0; wrong_from < MOST_WRONG; wrong_from += 3) {
            size_t lost_at = REFERENCES + 1;
            while (is_lost_at(flags[i], wrong_from, lost_at))
                lost_at++;
            if (!wrong_from) assert_true(lost_at > AGAIN);
        }
    fake_late = (struct fake_late){0};
}

// Whether 3 or 20 are drawn: 12 launches more, and data for 3 sizes. Named sizes are
// launched at again, drawn ones beside them are not.
static void three_of_the_drawn_sizes_are_launched_at_again(void **state)
{
    (void)state;
    static const struct {
        unsigned flags;
        size_t references, launches;
    } cases[] = {
        {SCALE_NO_VERIFY_SIZES | SCALE_SIZES_DRAWN, 3 * 3, 3 + 12},
        {SCALE_NO_VERIFY_SIZES | SCALE_SIZES_DRAWN | SCALE_MANY_DRAWN, 20 + 3 * 2,
         20 + 12},
        {SCALE_SIZES_DRAWN | SCALE_MANY_DRAWN, 22 + 2 * 2, 22 + 12},
        {SCALE_NO_REFERENCE | SCALE_NO_VERIFY_SIZES | SCALE_SIZES_DRAWN |
             SCALE_MANY_DRAWN,
         0, 2 * 20 + 12},
        {SCALE_NO_REFERENCE | SCALE_SIZES_DRAWN | SCALE_MANY_DRAWN, 0, 2 * 22 + 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scale_kernel k;
        bench_open(&k, cases[i].flags, HONE_EVALUATE_NO_TIME);
        assert_int_equal(fake_counts.launches, cases[i].references);
        assert_int_equal(bench_evaluate(&k, SCALE_RIGHT, 0).outcome, HONE_VALID);
        assert_int_equal(fake_counts.launches, cases[i].references + cases[i].launches);
        bench_close(&k);
    }
}

// Nobody finds why a single launch was wrong: after the deadline of a launch nobody looks.
static void a_cause_is_looked_for_as_long_as_one_launch_may_take(void **state)
{
    (void)state;
    enum { WRONG = 5 };
    struct scale_kernel k;
    struct hone_error err = {0};
    const struct hone_evaluate_options options = {
        .flags = HONE_EVALUATE_NO_TIME, .data_seed = 1, .deadline_s = 1e-9};
    bench_open(&k, 0, HONE_EVALUATE_NO_TIME);
    hone_evaluator_close(k.evaluator);
    k.evaluator = NULL;
    assert_ok(hone_evaluator_direct(&k.evaluator, k.kernel, &bench_device,
                                    &fake_builder_object, &options, &err),
              err);
    fake_counts.launches = 0;
    fake_late = (struct fake_late){.wrong_from = WRONG, .wrong_to = WRONG};
    const struct hone_trial trial = bench_evaluate(&k, SCALE_LATE, 0);
    fake_late = (struct fake_late){0};
    assert_int_equal(trial.outcome, HONE_WRONG_RESULT);
    assert_non_null(
        strstr(trial.reason, "right at first, wrong in a later launch: y[3]"));
    assert_true(fake_counts.launches <= WRONG + 2);
    bench_close(&k);
}

// From this launch on an hour passes from one look at the clock to the next.
static size_t slow_from = SIZE_MAX;

double __real_hone_clock_seconds(void);
double __wrap_hone_clock_seconds(void);
double __wrap_hone_clock_seconds(void)
{
    static double passed;
    if (fake_counts.launches >= slow_from) passed += 3600;
    return __real_hone_clock_seconds() + passed;
}

// A machine that stalls while it looks for the cause says what a fast one says.
static void a_cause_does_not_depend_on_the_clock(void **state)
{
    (void)state;
    enum { WRONG = 5 };
    struct hone_trial trials[2];
    char reasons[2][HONE_REASON_MAX];
    for (size_t i = 0; i < 2; i++) {
        struct scale_kernel k;
        fake_late = (struct fake_late){.wrong_from = WRONG, .wrong_to = SIZE_MAX};
        bench_open(&k, 0, HONE_EVALUATE_NO_TIME);
        fake_counts.launches = 0;
        if (i) slow_from = WRONG;
        trials[i] = bench_evaluate(&k, SCALE_LATE, 0);
        snprintf(reasons[i], sizeof reasons[i], "%s", trials[i].reason);
        bench_close(&k);
    }
    slow_from = SIZE_MAX;
    fake_late = (struct fake_late){0};
    assert_int_equal(trials[0].outcome, HONE_WRONG_RESULT);
    assert_null(strstr(reasons[0], "wrong in a later launch"));
    assert_string_equal(reasons[0], reasons[1]);
}

static void a_slow_launch_costs_much_whatever_its_data(void **state)
{
    (void)state;
    const uint64_t much = hone_relaunch_cost(UINT64_C(1) << 26, 0.0, 100);
    assert_true(hone_relaunch_cost(0, 1.0, 100) >= much);
    assert_true(hone_relaunch_cost(0, 1e-3, 100) == hone_relaunch_cost(0, 1e-6, 100));
    assert_true(hone_relaunch_cost(0, 1e-3, 100) == 100);
    assert_true(hone_relaunch_cost(7, 1.0, 100) == 107); // it counts: nobody's clock
}

static bool has_room(unsigned flags, size_t limit)
{
    struct scale_kernel k;
    struct hone_error err = {0};
    hone_host_memory_limit(limit);
    const enum hone_status status =
        bench_try(&k, flags, HONE_EVALUATE_NO_TIME | HONE_EVALUATE_QUIET, &err);
    if (status != HONE_OK) assert_int_equal(status, HONE_ELIMIT);
    const bool room =
        status == HONE_OK && bench_evaluate(&k, SCALE_RIGHT, 0).outcome == HONE_VALID;
    bench_close(&k);
    hone_host_memory_limit(0);
    return room;
}

// Other data is made of what is left over: no run fails for it.
static void more_memory_is_never_too_little(void **state)
{
    (void)state;
    enum { STEP = 97, MOST = 1 << 19 };
    static const unsigned flags[] = {0, SCALE_NO_VERIFY_SIZES, SCALE_WIDE};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        size_t limit = STEP;
        while (!has_room(flags[i], limit))
            limit += STEP;
        for (; limit < MOST; limit += STEP)
            if (!has_room(flags[i], limit)) fail_msg("%u: %zu bytes", flags[i], limit);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_lost_in_any_launch_is_reported_after_its_trial),
    cmocka_unit_test(three_of_the_drawn_sizes_are_launched_at_again),
    cmocka_unit_test(a_cause_is_looked_for_as_long_as_one_launch_may_take),
    cmocka_unit_test(a_cause_does_not_depend_on_the_clock),
    cmocka_unit_test(a_slow_launch_costs_much_whatever_its_data),
    cmocka_unit_test(more_memory_is_never_too_little),
};
HONE_TEST_MAIN_WITH(tests, scale_set_up, scale_tear_down)
