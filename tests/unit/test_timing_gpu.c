// Timing beside the state of the GPU: heat, slowed clocks, neighbours, what NVML says.
#include "timing_frame.h"

static void state_of_the_gpu_goes_on_record(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=100", &fault);
    assert_true(metric(&timing, "sm_mhz") == 1980);
    assert_true(metric(&timing, "temperature_c") == 45);
    assert_true(metric(&timing, "power_w") == 350.5);
    assert_true(isnan(metric(&timing, "clock_reasons")));
    assert_true(isnan(metric(&timing, "slowdown_pauses")));
}

static void samples_of_a_slowed_gpu_are_taken_again(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=100,slow=50,counters=0", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(fabs(timing.time_us - 100.75) < 0.01);
    assert_true(metric(&timing, "slowdown_pauses") >= 1);
    assert_true(isnan(metric(&timing, "clock_reasons")));
}

static void a_gpu_that_stays_slow_is_timed_and_says_so(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=100,slow=1000000,counters=0", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(fabs(timing.time_us - 200.75) < 0.01);
    assert_true(metric(&timing, "clock_reasons") == 8);
    assert_true(metric(&timing, "sm_mhz") == 990);
}

// What a card says after a batch is that it idles: only the counters know of the heat.
static void heat_between_two_readings_is_counted(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=20000,slow=10", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(fabs(timing.time_us - 20000.75) < 0.01);
    assert_true(metric(&timing, "slowdown_pauses") >= 1);
    assert_true(isnan(metric(&timing, "slowdown_share")));
    timing = time_on("kernel_us=20000,slow=1000000", &fault);
    assert_true(fabs(timing.time_us - 40000.75) < 0.01);
    assert_true(metric(&timing, "slowdown_share") > 0.5);
    assert_true(isnan(metric(&timing, "clock_reasons"))); // idle is none
}

// Some cards show a reason all the time; their counters know better.
static void counters_outweigh_the_reason_of_the_moment(void **state)
{
    (void)state;
    struct hone_fault fault;
    const struct hone_timing timing = time_on("kernel_us=100,counters=2", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(isnan(metric(&timing, "slowdown_pauses")));
    assert_true(metric(&timing, "clock_reasons") == 8); // on record all the same
}

// Heat while results are verified, after the last reading of the counters.
static void heat_between_two_configurations_is_counted(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_module *module = NULL;
    char slow[32];
    struct hone_device *dev = fake_open("kernel_us=20000", &module);
    struct hone_timing timing =
        time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_true(isnan(metric(&timing, "slowdown_pauses")));
    snprintf(slow, sizeof slow, "slow=%zu", fake.launches() + 20);
    assert_int_equal(fake.adjust(slow), 0);
    for (int i = 0; i < 20; i++)
        assert_ok(dev->fns->launch(dev, module, &one_block, &fault, &err), err);
    timing = time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_true(metric(&timing, "slowdown_pauses") == 1); // and no more heat after it
    assert_true(isnan(metric(&timing, "slowdown_share")));
    timing = time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_true(isnan(metric(&timing, "slowdown_pauses")));
    assert_int_equal(fake.adjust("slow=1000000"), 0);
    timing = time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_true(metric(&timing, "slowdown_share") <= 1);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

// However many batches a configuration needs: each call may take milliseconds.
static void nvml_is_asked_a_few_times_a_configuration(void **state)
{
    (void)state;
    fake_cuda_nvml_call *call = NULL;
    void *library = dlopen(FAKE_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
    fake_find(library, "fake_cuda_nvml_call", &call);
    dlclose(library);
    const char *const configs[] = {"kernel_us=20,nvml_us=5000",
                                   "kernel_us=20,nvml_us=5000,noise=0.3"};
    for (size_t i = 0; i < 2; i++) {
        struct hone_module *module = NULL;
        struct hone_fault fault;
        struct hone_device *dev = fake_open(configs[i], &module);
        const size_t before = call();
        const struct hone_timing timing =
            time_kernel(dev, module, &hone_time_policy_default, &fault);
        assert_true(timing.samples >= (i ? 100 : 6));
        assert_true(call() - before - 1 <= 6);
        dev->fns->unload(dev, module);
        hone_device_close(dev);
    }
}

static void neighbours_on_the_gpu_are_warned_of(void **state)
{
    (void)state;
    struct hone_fault fault;
    hone_log_set(keep_warning, NULL);
    last_warning[0] = '\0';
    time_on("profiler=1,kernel_us=100", &fault);
    assert_string_equal(last_warning, "");
    time_on("profiler=1,kernel_us=100,others=2", &fault);
    hone_log_set(NULL, NULL);
    assert_string_equal(last_warning,
                        "cuda:0 is shared: 2 other processes compute on it");
}

static void timing_goes_on_without_nvml(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    fake.configure("devices=2,kernel_us=100"); // the fake NVML knows the first one only
    assert_ok(hone_device_open(&dev, "cuda:1", &err), err);
    char ptx[128];
    struct hone_build build = fake_build(ptx, sizeof ptx, "k");
    assert_ok(dev->fns->load(dev, &build, "k", &module, &fault, &err), err);
    struct hone_timing timing =
        time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_true(fabs(timing.time_us - 100.75) < 0.01);
    assert_true(isnan(metric(&timing, "sm_mhz")));
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(state_of_the_gpu_goes_on_record),
    cmocka_unit_test(samples_of_a_slowed_gpu_are_taken_again),
    cmocka_unit_test(a_gpu_that_stays_slow_is_timed_and_says_so),
    cmocka_unit_test(heat_between_two_readings_is_counted),
    cmocka_unit_test(counters_outweigh_the_reason_of_the_moment),
    cmocka_unit_test(heat_between_two_configurations_is_counted),
    cmocka_unit_test(nvml_is_asked_a_few_times_a_configuration),
    cmocka_unit_test(neighbours_on_the_gpu_are_warned_of),
    cmocka_unit_test(timing_goes_on_without_nvml),
};
HONE_TEST_MAIN(tests)
