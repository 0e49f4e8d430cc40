// Joules of a launch on the fake driver, whose counter steps every 100 ms of its clock.
#include <math.h>

#include "hone_test.h"

#include "fake/fake_use.h"

// Times "k" on a fake of this configuration, counting energy over so many milliseconds.
static struct hone_timing time_on(const char *config, double energy_ms,
                                  struct hone_fault *fault)
{
    static const struct hone_launch one_block = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .deadline_s = 0.01};
    struct hone_error err = {0};
    struct hone_module *module = NULL;
    struct hone_timing timing;
    struct hone_device *dev = fake_open(config, &module);
    struct hone_time_policy policy = hone_time_policy_default;
    policy.energy_ms = energy_ms;
    assert_ok(dev->fns->time(dev, module, &one_block, &policy, &timing, fault, &err),
              err);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    return timing;
}

static void joules_are_those_of_one_launch(void **state)
{
    (void)state;
    const struct {
        const char *config;
        double joules;
    } cases[] = {
        {"kernel_us=100,watts=400", 0.04},
        {"kernel_us=100,watts=700", 0.07},
        {"kernel_us=7,watts=300", 0.0021},
        {"kernel_us=30000,watts=500", 15},
        {"kernel_us=100,watts=400,profiler=1", 0.04},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_fault fault;
        struct hone_timing timing = time_on(cases[i].config, 1000, &fault);
        assert_int_equal(fault.outcome, HONE_VALID);
        // A step is seen one batch late at most: 5 ms, or one launch, in a second.
        if (fabs(timing.energy_j - cases[i].joules) > 0.035 * cases[i].joules)
            fail_msg("%s: %g J", cases[i].config, timing.energy_j);
    }
}

// Launches of 2 us that CUPTI makes 10 us longer: what the GPU draws anyway would count
// for each.
static void energy_is_counted_of_launches_that_are_not_recorded(void **state)
{
    (void)state;
    struct hone_fault fault;
    const struct hone_timing timing =
        time_on("kernel_us=2,watts=400,profiler=1,traced_us=10", 1000, &fault);
    assert_int_equal(timing.clock, HONE_CLOCK_CUPTI);
    assert_true(fabs(timing.time_us - 2) < 0.01);
    assert_true(fabs(timing.energy_j / 8e-4 - 1) < 0.035);
}

static void nothing_is_counted_unless_asked_for(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct hone_timing timing = time_on("kernel_us=100", 0, &fault);
    assert_true(isnan(timing.energy_j));
    assert_true(fake.launches() < 100);
}

static void a_gpu_without_a_counter_says_so(void **state)
{
    (void)state;
    struct hone_module *module = NULL;
    struct hone_fault fault;
    struct hone_device *dev = fake_open("energy=0", &module);
    assert_false(dev->counts_energy);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    assert_true(isnan(time_on("energy=0,kernel_us=100", 1000, &fault).energy_j));
    dev = fake_open("", &module);
    assert_true(dev->counts_energy);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void a_counter_that_stands_still_is_given_up(void **state)
{
    (void)state;
    struct hone_fault fault; // 0 W in all: idle draw is what the kernel saves
    struct hone_timing timing = time_on("kernel_us=1000,watts=0", 1000, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(isnan(timing.energy_j));
    assert_true(fake.launches() < 4000);
}

static void faults_are_found_while_counting(void **state)
{
    (void)state;
    struct hone_fault fault;
    time_on("kernel_us=100,fault=700@500", 1000, &fault);
    assert_int_equal(fault.outcome, HONE_CRASHED);
    assert_true(fault.sticky);
    time_on("kernel_us=100,hang=5000", 1000, &fault);
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(joules_are_those_of_one_launch),
    cmocka_unit_test(energy_is_counted_of_launches_that_are_not_recorded),
    cmocka_unit_test(nothing_is_counted_unless_asked_for),
    cmocka_unit_test(a_gpu_without_a_counter_says_so),
    cmocka_unit_test(a_counter_that_stands_still_is_given_up),
    cmocka_unit_test(faults_are_found_while_counting),
};
HONE_TEST_MAIN(tests)
