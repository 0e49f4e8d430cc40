// Timing: sampling on the fake driver, whose kernels take exactly as long as they are
// told.
#include "timing_frame.h"

// Rounds of a contest between these modules as finals hold them; the most launches of
// all but the first. Who was kept waiting for half a second begins anew.
static size_t launches_of_rounds(struct hone_device *dev, struct hone_module **modules,
                                 size_t count)
{
    enum { ROUNDS = 4, AGAIN = 20 };
    struct hone_time_policy policy = hone_time_policy_default;
    struct hone_fault fault;
    size_t most = 0;
    policy.min_samples = policy.max_samples = 3;
    policy.brief = true;
    for (int again = 0; again < AGAIN; again++) {
        const double start = hone_clock_seconds();
        most = 0;
        for (size_t r = 0; r < ROUNDS; r++)
            for (size_t i = 0; i < count; i++) {
                const size_t before = fake.launches();
                time_kernel(dev, modules[i], &policy, &fault);
                assert_int_equal(fault.outcome, HONE_VALID);
                const size_t seen = fake.launches() - before;
                if (r && seen > most) most = seen;
            }
        if (hone_clock_seconds() - start < 0.4) break;
    }
    return most;
}

static void rounds_of_a_contest_warm_up_by_one_launch(void **state)
{
    (void)state;
    char ptx[128];
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_module *modules[2] = {0};
    struct hone_device *dev = fake_open("kernel_us=5,noise=0.01", &modules[0]);
    const struct hone_build build = fake_build(ptx, sizeof ptx, "k");
    assert_ok(dev->fns->load(dev, &build, "k", &modules[1], &fault, &err), err);
    assert_int_equal(launches_of_rounds(dev, modules, 2), 1 + 3);
    for (size_t i = 0; i < 2; i++)
        dev->fns->unload(dev, modules[i]);
    hone_device_close(dev);
}

// A round of finals takes three samples of each: calls of NVML, of milliseconds each, must
// not outweigh them.
static void rounds_of_a_contest_ask_nvml_little(void **state)
{
    (void)state;
    fake_cuda_nvml_call *call = NULL;
    void *library = dlopen(FAKE_LIBCUDA, RTLD_NOW | RTLD_NOLOAD);
    fake_find(library, "fake_cuda_nvml_call", &call);
    dlclose(library);
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("kernel_us=5,nvml_us=2000", &module);
    launches_of_rounds(dev, &module, 1);
    const size_t before = call();
    struct hone_time_policy policy = hone_time_policy_default;
    struct hone_fault fault;
    policy.min_samples = policy.max_samples = 3;
    policy.brief = true;
    for (int i = 0; i < 8; i++)
        time_kernel(dev, module, &policy, &fault);
    assert_true(call() - before - 1 <= 8 * 2);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void a_gpu_that_has_idled_is_warmed_up_anew(void **state)
{
    (void)state;
    struct hone_time_policy policy = hone_time_policy_default;
    struct hone_fault fault;
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("kernel_us=5", &module);
    policy.min_samples = policy.max_samples = 3;
    policy.brief = true;
    time_kernel(dev, module, &policy, &fault);
    nanosleep(&(struct timespec){.tv_nsec = 600000000}, NULL);
    const size_t before = fake.launches();
    time_kernel(dev, module, &policy, &fault);
    assert_int_equal(fake.launches() - before, 63 + 3);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

// Runs first, in a process of its own: CUPTI is opened once a process.
static void busy_cupti_leaves_events_and_says_why(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        hone_log_set(keep_warning, NULL);
        struct hone_fault fault;
        struct hone_timing timing = time_on("profiler=1,cupti=39,kernel_us=100", &fault);
        if (!strstr(last_warning, "cuptiActivityEnable failed")) _exit(2);
        if (!strstr(last_warning, "another profiler is attached")) _exit(3);
        _exit(timing.clock == HONE_CLOCK_EVENT ? 0 : 4);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void events_add_the_cost_of_the_launch(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=100,overhead_us=3", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_int_equal(timing.clock, HONE_CLOCK_EVENT);
    assert_true(fabs(timing.time_us - 101.5) < 0.01);
    assert_true(isnan(timing.predicted_us));
    assert_int_equal(timing.samples, hone_time_policy_default.min_samples);
    assert_true(isnan(metric(&timing, "event_us")));
}

static void cupti_times_the_kernel_alone(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("profiler=1,kernel_us=100,overhead_us=3", &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_int_equal(timing.clock, HONE_CLOCK_CUPTI);
    assert_true(fabs(timing.time_us - 100) < 0.01);
    assert_true(fabs(metric(&timing, "event_us") - 102.5) < 0.01);
}

static void clocks_that_disagree_are_reported(void **state)
{
    (void)state;
    struct hone_fault fault;
    hone_log_set(keep_warning, NULL);
    last_warning[0] = '\0';
    time_on("profiler=1,kernel_us=100,overhead_us=3", &fault);
    assert_string_equal(last_warning, "");
    time_on("profiler=1,kernel_us=100,overhead_us=40", &fault);
    hone_log_set(NULL, NULL);
    assert_string_equal(last_warning,
                        "cuda:0: 'k' takes 100.000 us by CUPTI and 121.000 us by events; "
                        "further such kernels have it in their metric event_us");
}

static void lost_records_are_made_up_for(void **state)
{
    (void)state;
    const char *const configs[] = {"profiler=1,kernel_us=50,drop=5",
                                   "profiler=1,kernel_us=50,zero=5",
                                   "profiler=1,kernel_us=50,zero=5,drop=7"};
    for (size_t i = 0; i < 3; i++) {
        struct hone_fault fault;
        struct hone_timing timing = time_on(configs[i], &fault);
        assert_int_equal(fault.outcome, HONE_VALID);
        assert_true(fabs(timing.time_us - 50) < 0.01);
        assert_true(timing.samples >= hone_time_policy_default.min_samples);
    }
}

static void late_records_are_waited_for(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing =
        time_on("profiler=1,kernel_us=50,overhead_us=4,late=6", &fault);
    assert_int_equal(timing.clock, HONE_CLOCK_CUPTI);
    assert_true(fabs(timing.time_us - 50) < 0.01);
}

static void silent_cupti_is_found_when_opening(void **state)
{
    (void)state;
    hone_log_set(keep_warning, NULL);
    struct hone_fault fault;
    struct hone_timing timing = time_on("profiler=1,kernel_us=50,drop=1", &fault);
    hone_log_set(NULL, NULL);
    assert_int_equal(timing.clock, HONE_CLOCK_EVENT);
    assert_non_null(strstr(last_warning, "CUPTI recorded 0 of 3 launches"));
}

static void cupti_that_stops_costs_the_configuration_only(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_device *dev = fake_open("profiler=1,kernel_us=50", &module);
    assert_int_equal(fake.adjust("drop=1"), 0);
    struct hone_timing timing =
        time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_false(fault.sticky);
    assert_non_null(strstr(fault.reason, "CUPTI gave no record"));
    assert_true(isnan(timing.time_us));
    assert_int_equal(fake.adjust("drop=0"), 0);
    timing = time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(fabs(timing.time_us - 50) < 0.01);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void clock_can_be_chosen(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    setenv("HONE_CLOCK", "event", 1);
    assert_int_equal(time_on("profiler=1", &fault).clock, HONE_CLOCK_EVENT);
    setenv("HONE_CLOCK", "cupti", 1);
    assert_int_equal(time_on("profiler=1", &fault).clock, HONE_CLOCK_CUPTI);
    fake.configure("profiler=0");
    assert_int_equal(hone_device_open(&dev, "cuda:0", &err), HONE_ENODEVICE);
    assert_string_equal(err.text,
                        "no clock 'cupti' here: the driver offers nothing to CUPTI");
    assert_int_equal(fake.live(), 0);
    err = (struct hone_error){0};
    setenv("HONE_CLOCK", "sundial", 1);
    assert_int_equal(hone_device_open(&dev, "cuda:0", &err), HONE_EUSAGE);
    assert_string_equal(err.text,
                        "HONE_CLOCK is 'sundial', it can be auto, cupti, event or graph");
    assert_int_equal(fake.live(), 0);
    unsetenv("HONE_CLOCK");
}

static void noise_is_answered_with_samples(void **state)
{
    (void)state;
    struct hone_fault fault;
    uint32_t calm = time_on("kernel_us=100,noise=0.001", &fault).samples;
    struct hone_timing noisy = time_on("kernel_us=100,noise=0.1", &fault);
    assert_int_equal(calm, hone_time_policy_default.min_samples);
    assert_true(noisy.samples > 2 * calm);
    assert_true(noisy.samples <= hone_time_policy_default.max_samples);
    assert_true(noisy.rel_std > 0.03 && noisy.rel_std < 0.1); // uniform: 0.1 / sqrt(3)
    assert_true(fabs(noisy.time_us - 100.75) < 2);
}

static void same_kernel_times_the_same(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing a = time_on("kernel_us=100,noise=0.05", &fault);
    struct hone_timing b = time_on("kernel_us=100,noise=0.05", &fault);
    assert_true(a.time_us == b.time_us && a.rel_std == b.rel_std &&
                a.samples == b.samples);
}

static void slow_kernels_are_launched_as_little_as_possible(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_device *dev = fake_open("kernel_us=50000,noise=0.2", &module);
    size_t before = fake.launches();
    struct hone_timing timing =
        time_kernel(dev, module, &hone_time_policy_default, &fault);
    assert_int_equal(timing.samples, hone_time_policy_default.min_samples);
    assert_int_equal(fake.launches() - before, timing.samples + 1); // one to warm up
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void policy_bounds_the_samples(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_device *dev = fake_open("kernel_us=20,noise=0.3", &module);
    for (uint32_t most = 1; most <= 70; most += 23) {
        struct hone_time_policy policy = hone_time_policy_default;
        policy.min_samples = 1;
        policy.max_samples = most;
        policy.target_rel_ci = 0;
        assert_int_equal(time_kernel(dev, module, &policy, &fault).samples, most);
    }
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void only_a_cold_cache_needs_the_flush_buffer(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_time_policy policy = hone_time_policy_default;
    policy.warm_cache = true;
    struct hone_device *dev =
        fake_open("kernel_us=20,memory=1e8", &module); // 4 x 60 MB of L2
    time_kernel(dev, module, &policy, &fault);         // loads what raises the clocks
    size_t live = fake.live();
    assert_int_equal(time_kernel(dev, module, &policy, &fault).samples,
                     policy.min_samples);
    assert_int_equal(fake.live(), live);
    policy.warm_cache = false;
    struct hone_error err = {0};
    struct hone_timing timing;
    assert_int_equal(
        dev->fns->time(dev, module, &one_block, &policy, &timing, &fault, &err),
        HONE_ELIMIT);
    assert_string_equal(err.text,
                        "cuda:0 has no room for 251658240 bytes to flush L2 with");
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void fault_while_timing_ends_it(void **state)
{
    (void)state;
    const char *const configs[] = {
        "kernel_us=20,fault=700@1", "kernel_us=20,fault=719@30",
        "kernel_us=20,fault=700@66", "profiler=1,kernel_us=20,fault=716@70"};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct hone_fault fault;
        struct hone_timing timing = time_on(configs[i], &fault);
        assert_int_equal(fault.outcome, HONE_CRASHED);
        assert_true(fault.sticky);
        assert_true(isnan(timing.time_us));
    }
    struct hone_fault fault;
    time_on("kernel_us=20,fault=701@5", &fault);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_false(fault.sticky);
}

static void time_until_it_hangs(const char *config)
{
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open(config, &module);
    struct hone_launch launch = one_block;
    launch.deadline_s = 0.005;
    struct hone_timing timing;
    struct hone_fault fault;
    struct hone_error err = {0};
    assert_ok(dev->fns->time(dev, module, &launch, &hone_time_policy_default, &timing,
                             &fault, &err),
              err);
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
    assert_true(fault.sticky);
    assert_string_equal(fault.reason,
                        "still running after 0.005 s, the deadline of a launch");
    dev->fns->unload(dev, module);
    hone_device_close(dev); // the fakes abort a call that would wait for ever
}

static void hang_while_timing_is_given_up(void **state)
{
    (void)state;
    time_until_it_hangs("kernel_us=20,hang=1");
    time_until_it_hangs("kernel_us=20,hang=66"); // past the warm-up
    time_until_it_hangs("kernel_us=20,hang=70,profiler=1");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(busy_cupti_leaves_events_and_says_why),
    cmocka_unit_test(events_add_the_cost_of_the_launch),
    cmocka_unit_test(rounds_of_a_contest_warm_up_by_one_launch),
    cmocka_unit_test(rounds_of_a_contest_ask_nvml_little),
    cmocka_unit_test(a_gpu_that_has_idled_is_warmed_up_anew),
    cmocka_unit_test(cupti_times_the_kernel_alone),
    cmocka_unit_test(clocks_that_disagree_are_reported),
    cmocka_unit_test(lost_records_are_made_up_for),
    cmocka_unit_test(late_records_are_waited_for),
    cmocka_unit_test(silent_cupti_is_found_when_opening),
    cmocka_unit_test(cupti_that_stops_costs_the_configuration_only),
    cmocka_unit_test(clock_can_be_chosen),
    cmocka_unit_test(noise_is_answered_with_samples),
    cmocka_unit_test(same_kernel_times_the_same),
    cmocka_unit_test(slow_kernels_are_launched_as_little_as_possible),
    cmocka_unit_test(policy_bounds_the_samples),
    cmocka_unit_test(only_a_cold_cache_needs_the_flush_buffer),
    cmocka_unit_test(fault_while_timing_ends_it),
    cmocka_unit_test(hang_while_timing_is_given_up),
};
HONE_TEST_MAIN(tests)
