// CUPTI's records, which come late, in part, and together with those of launches that
// were not to be timed: on the fake CUPTI.
#include <math.h>
#include <string.h>

#include "hone_test.h"

#include "fake/fake_use.h"

static const struct hone_launch one_block = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

// A GPU timed by CUPTI with the kernel "k".
struct gpu {
    struct hone_device *dev;
    struct hone_module *module;
};

static struct gpu open_gpu(const char *config)
{
    struct gpu gpu = {0};
    gpu.dev = fake_open(config, &gpu.module);
    assert_int_equal(gpu.dev->clock, HONE_CLOCK_CUPTI);
    return gpu;
}

static void close_gpu(struct gpu *gpu)
{
    gpu->dev->fns->unload(gpu->dev, gpu->module);
    hone_device_close(gpu->dev);
    assert_int_equal(fake.live(), 0);
}

static struct hone_timing time_k(const struct gpu *gpu, bool warm)
{
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    struct hone_time_policy policy = hone_time_policy_default;
    policy.warm_cache = warm;
    assert_ok(gpu->dev->fns->time(gpu->dev, gpu->module, &one_block, &policy, &timing,
                                  &fault, &err),
              err);
    assert_int_equal(fault.outcome, HONE_VALID);
    return timing;
}

// The warm-up's launches take twice as long, and their records come with the first batch.
static void records_of_the_warm_up_are_no_samples(void **state)
{
    (void)state;
    static const char *const configs[] = {
        "profiler=1,kernel_us=20,settle=63,late=2",
        "profiler=1,kernel_us=20,settle=63,held=5",
        "profiler=1,kernel_us=20,settle=63,late=3,held=40",
        "profiler=1,kernel_us=20,settle=63,late=2,drop=7",
    };
    for (size_t i = 0; i < 2 * sizeof configs / sizeof *configs; i++) {
        struct gpu gpu = open_gpu(configs[i / 2]);
        const double us = time_k(&gpu, i % 2 == 1).time_us;
        if (fabs(us - 20) > 0.01) fail_msg("%s: %g us", configs[i / 2], us);
        close_gpu(&gpu);
    }
}

// Where the clocks of records and host are so far apart that time says nothing, the
// geometry does.
static void records_of_another_geometry_are_no_samples(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct gpu gpu = open_gpu("profiler=1,late=2,skew_us=1e6");
    const struct hone_launch others[] = {
        {.grid = {264, 1, 1}, .block = {1024, 1, 1}},
        {.grid = {1, 1, 1}, .block = {1024, 1, 1}},
        {.grid = {1, 1, 64}, .block = {32, 1, 1}},
    };
    for (size_t i = 0; i < 30; i++)
        assert_ok(gpu.dev->fns->launch(gpu.dev, gpu.module, &others[i % 3], &fault, &err),
                  err);
    const double us = 2 + 1000 * 32 / (132 * 2048.0); // what the fake makes of 32 threads
    assert_true(fabs(time_k(&gpu, true).time_us - us) < 0.01);
    close_gpu(&gpu);
}

// CUPTI calls back on a thread of its own, while the launches go on.
static void records_of_another_thread_are_waited_for(void **state)
{
    (void)state;
    static const char *const configs[] = {
        "profiler=1,kernel_us=20,settle=63,thread=1",
        "profiler=1,kernel_us=20,settle=63,thread=1,late=2",
        "profiler=1,kernel_us=20,settle=63,thread=1,held=5",
        "profiler=1,kernel_us=20,settle=63,thread=1,drop=7",
    };
    for (size_t i = 0; i < 2 * sizeof configs / sizeof *configs; i++) {
        struct gpu gpu = open_gpu(configs[i / 2]);
        for (int again = 0; again < 10; again++) {
            const double us = time_k(&gpu, i % 2 == 1).time_us;
            if (fabs(us - 20) > 0.01) fail_msg("%s: %g us", configs[i / 2], us);
        }
        close_gpu(&gpu);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(records_of_the_warm_up_are_no_samples),
    cmocka_unit_test(records_of_another_thread_are_waited_for),
    cmocka_unit_test(records_of_another_geometry_are_no_samples),
};
HONE_TEST_MAIN(tests)
