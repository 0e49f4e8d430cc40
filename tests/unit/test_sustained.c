// Times of launches in a row, on the fake driver: a GPU whose clock falls from 1965 to
// 1230 MHz while a kernel draws more than the card may.
#include <math.h>

#include "hone_test.h"

#include "base/log.h"
#include "fake/fake_use.h"

// A power of 4.08 times the cap leaves a clock of 1 / cbrt(4.08) = 1230 / 1965.
static const char capped[] = "memory=4e9,cap=172,watts=702,kernel_us=400,fall_ms=300";
static const double steady_us = 400 * 1965.0 / 1230;

static const struct hone_launch *one_block(void)
{
    static const struct hone_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    return &launch;
}

static struct hone_timing time_by(struct hone_device *dev, struct hone_module *module,
                                  const struct hone_launch *launch, bool sustained,
                                  struct hone_fault *fault)
{
    struct hone_error err = {0};
    struct hone_timing timing;
    struct hone_time_policy policy = hone_time_policy_default;
    policy.sustained = sustained;
    assert_ok(dev->fns->time(dev, module, launch, &policy, &timing, fault, &err), err);
    return timing;
}

static void close_gpu(struct hone_device *dev, struct hone_module *module)
{
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

static void a_sustained_time_is_that_of_the_clock_that_stays(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open(capped, &module);
    const struct hone_timing burst = time_by(dev, module, one_block(), false, &fault);
    assert_int_equal(burst.kind, HONE_TIME_BURST);
    assert_true(burst.time_us < 1.05 * 400);
    const struct hone_timing row = time_by(dev, module, one_block(), true, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_int_equal(row.kind, HONE_TIME_SUSTAINED);
    if (!(fabs(row.time_us / steady_us - 1) < 0.01)) fail_msg("%g us", row.time_us);
    const struct hone_timing again = time_by(dev, module, one_block(), true, &fault);
    assert_true(fabs(again.time_us / steady_us - 1) < 0.01);
    close_gpu(dev, module);
}

static char last_line[256];

static void keep_line(void *context, enum hone_log_level level, const char *line)
{
    (void)context, (void)level;
    snprintf(last_line, sizeof last_line, "%s", line);
}

// A clock that swings by 20 % every second: 5 s the first time, then one.
static void who_never_becomes_steady_is_given_up(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev =
        fake_open("kernel_us=1000,drift=0.2,drift_launches=1000", &module);
    hone_log_set(keep_line, NULL);
    const size_t before = fake.launches();
    time_by(dev, module, one_block(), true, &fault);
    const size_t first = fake.launches() - before;
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_non_null(strstr(last_line, "'k' is not steady after 5"));
    time_by(dev, module, one_block(), true, &fault);
    const size_t second = fake.launches() - before - first;
    hone_log_set(NULL, NULL);
    assert_in_range(first, 4000, 6500);
    assert_in_range(second, 800, 1500);
    close_gpu(dev, module);
}

// Who asks for less gets less, also of a kernel that is timed for the first time.
static void a_turn_takes_no_longer_than_it_may(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_timing timing;
    struct hone_module *module = NULL;
    struct hone_device *dev =
        fake_open("kernel_us=1000,drift=0.2,drift_launches=1000", &module);
    struct hone_time_policy policy = hone_time_policy_default;
    policy.sustained = true;
    policy.sustained_s = 0.5;
    for (int i = 0; i < 2; i++) {
        const size_t before = fake.launches();
        assert_ok(
            dev->fns->time(dev, module, one_block(), &policy, &timing, &fault, &err),
            err);
        assert_int_equal(fault.outcome, HONE_VALID);
        assert_in_range(fake.launches() - before, 400, 800);
    }
    close_gpu(dev, module);
}

static const unsigned char *seen[100000];
static size_t seen_count;

static void note_pointer(const struct fake_cuda_launch *launch)
{
    assert_true(seen_count < sizeof seen / sizeof *seen);
    memcpy(&seen[seen_count++], launch->params[0], sizeof *seen);
}

// L2 has 60 MB: a launch with 20 MB takes turns with six copies and more.
static void launches_in_a_row_take_turns_with_copies(void **state)
{
    (void)state;
    static char ptx[] = ".version 8.0\n.visible .entry k(.param .u64 x)\n";
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = ptx, .ptx_size = strlen(ptx)};
    const size_t bytes = 20 << 20;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_module *module = NULL, *other = NULL;
    struct hone_device *dev = fake_open("memory=4e9,kernel_us=700", &other);
    hone_devptr x = 0;
    fake.body("k", note_pointer);
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    assert_ok(dev->fns->alloc(dev, bytes, &x, &err), err);
    const struct hone_extent extent = {.base = x, .bytes = bytes};
    const struct hone_launch launch = {.grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .params = (const void *[]){&x},
                                       .param_sizes = (size_t[]){sizeof x},
                                       .param_count = 1,
                                       .extents = &extent,
                                       .extent_count = 1};
    time_by(dev, module, &launch, true, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    for (size_t i = seen_count - 6; i < seen_count; i++)
        for (size_t k = seen_count - 6; k < i; k++)
            assert_ptr_not_equal(seen[i], seen[k]);
    dev->fns->free(dev, x);
    dev->fns->unload(dev, other);
    close_gpu(dev, module);
}

// Of two kernels the one that is 6 % faster draws nearly twice as much.
static void who_is_fastest_may_change_with_the_clock(void **state)
{
    (void)state;
    static const struct hone_launch thirsty = {.grid = {32, 1, 1}, .block = {1024, 1, 1}};
    static const struct hone_launch frugal = {.grid = {136, 1, 1}, .block = {256, 1, 1}};
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev =
        fake_open("cap=300,watts=300,hot=12800,noise=0.01", &module);
    double us[2][2];
    for (int sustained = 0; sustained < 2; sustained++) {
        us[sustained][0] = time_by(dev, module, &thirsty, sustained, &fault).time_us;
        us[sustained][1] = time_by(dev, module, &frugal, sustained, &fault).time_us;
    }
    assert_true(us[0][0] < 0.98 * us[0][1]);
    assert_true(us[1][0] > 1.05 * us[1][1]);
    close_gpu(dev, module);
}

static void a_fault_in_a_row_is_the_kernels(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("kernel_us=400,fault=700@500", &module);
    time_by(dev, module, one_block(), true, &fault);
    assert_int_equal(fault.outcome, HONE_CRASHED);
    assert_true(fault.sticky);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

// A row has thousands of launches in a second: none of them has a deadline of thousands,
// and what is queued behind one that hangs fits into the driver's queue.
static void a_hang_in_a_row_is_given_up_after_one_deadline(void **state)
{
    (void)state;
    static const char *const configs[] = {
        "kernel_us=6,hang=1", "kernel_us=6,hang=500", "kernel_us=6,hang=20000",
        "kernel_us=400,hang=500", "kernel_us=6,hang=20000,profiler=1"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct hone_fault fault;
        struct hone_module *module = NULL;
        struct hone_device *dev = fake_open(configs[i], &module);
        struct hone_launch launch = *one_block();
        launch.deadline_s = 0.01;
        time_by(dev, module, &launch, true, &fault);
        assert_int_equal(fault.outcome, HONE_TIMED_OUT);
        assert_string_equal(fault.reason,
                            "still running after 0.01 s, the deadline of a launch");
        dev->fns->unload(dev, module);
        hone_device_close(dev);
    }
}

// Buffers that cannot be copied leave graphs of one launch: a window of the same length
// then has as many launches as it needs.
static void windows_of_single_launches_are_as_long(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_module *module = NULL;
    hone_devptr table = 0;
    // 30 ms are the boost, and 1 s is the fall to the clock that stays.
    struct hone_device *dev =
        fake_open("kernel_us=6,cap=172,watts=702,fall_ms=300,gap_us=0", &module);
    assert_ok(dev->fns->alloc(dev, 4096, &table, &err), err);
    const struct hone_extent extent = {.base = table, .bytes = 4096};
    struct hone_launch launch = *one_block();
    launch.extents = &extent;
    launch.extent_count = 1; // no pointer to it among the parameters
    const double us = time_by(dev, module, &launch, true, &fault).time_us;
    assert_int_equal(fault.outcome, HONE_VALID);
    if (!(fabs(us / (6 * 1965.0 / 1230) - 1) < 0.01)) fail_msg("%g us", us);
    dev->fns->free(dev, table);
    close_gpu(dev, module);
}

// A clock that steps up and down by 1 % is as steady as it gets.
static void steps_of_the_clock_are_no_drift(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("memory=4e9,cap=172,watts=702,kernel_us=400,"
                                        "fall_ms=300,dither=0.01",
                                        &module);
    double least = HUGE_VAL, most = 0;
    time_by(dev, module, one_block(), true, &fault);
    for (int i = 0; i < 20; i++) {
        const size_t before = fake.launches();
        const double us = time_by(dev, module, one_block(), true, &fault).time_us;
        least = fmin(least, us);
        most = fmax(most, us);
        const double spent_s = (double)(fake.launches() - before) * us * 1e-6;
        if (!(spent_s < 0.8)) fail_msg("turn %d takes %g s", i, spent_s);
        assert_true(fabs(us / (1.005 * steady_us) - 1) < 0.012);
    }
    close_gpu(dev, module);
}

// What CUPTI adds to each launch that it records is no gap of the kernel's.
static void a_row_is_not_recorded(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("kernel_us=6,profiler=1,traced_us=3", &module);
    assert_int_equal(dev->clock, HONE_CLOCK_CUPTI);
    for (int i = 0; i < 2; i++) {
        const double row_us = time_by(dev, module, one_block(), true, &fault).time_us;
        if (!(row_us > 6.5 && row_us < 7.1)) fail_msg("%g us", row_us); // a gap of 1 us
        const double burst_us = time_by(dev, module, one_block(), false, &fault).time_us;
        assert_true(fabs(burst_us - 6) < 0.01);
    }
    close_gpu(dev, module);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_sustained_time_is_that_of_the_clock_that_stays),
    cmocka_unit_test(who_never_becomes_steady_is_given_up),
    cmocka_unit_test(a_turn_takes_no_longer_than_it_may),
    cmocka_unit_test(launches_in_a_row_take_turns_with_copies),
    cmocka_unit_test(who_is_fastest_may_change_with_the_clock),
    cmocka_unit_test(a_fault_in_a_row_is_the_kernels),
    cmocka_unit_test(a_hang_in_a_row_is_given_up_after_one_deadline),
    cmocka_unit_test(windows_of_single_launches_are_as_long),
    cmocka_unit_test(steps_of_the_clock_are_no_drift),
    cmocka_unit_test(a_row_is_not_recorded),
};
HONE_TEST_MAIN(tests)
