// The cuda device, on the fake driver, under memory that runs out anywhere.
#include "hone_test.h"

#include "fake/fake_use.h"
#include "oom.h"

static enum hone_status time_a_kernel(struct hone_device *dev, struct hone_module *module,
                                      struct hone_error *err)
{
    const struct hone_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct hone_timing timing;
    struct hone_fault fault;
    enum hone_status status = dev->fns->time(
        dev, module, &launch, &hone_time_policy_default, &timing, &fault, err);
    if (status == HONE_OK) assert_int_equal(fault.outcome, HONE_VALID);
    return status;
}

static enum hone_status load_and_time(struct hone_device *dev, struct hone_error *err)
{
    char ptx[128];
    struct hone_build build = fake_build(ptx, sizeof ptx, "k");
    struct hone_module *module = NULL;
    struct hone_fault fault;
    enum hone_status status = dev->fns->load(dev, &build, "k", &module, &fault, err);
    if (status != HONE_OK) return status;
    assert_int_equal(fault.outcome, HONE_VALID);
    status = time_a_kernel(dev, module, err);
    dev->fns->unload(dev, module);
    return status;
}

static enum hone_status open_and_time(void *context, struct hone_error *err)
{
    struct hone_device *dev = NULL;
    assert_int_equal(fake.configure(context), 0);
    enum hone_status status = hone_device_open(&dev, "cuda:0", err);
    if (status == HONE_OK) status = load_and_time(dev, err);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
    return status;
}

static void device_survives_every_failing_allocation(void **state)
{
    (void)state;
    char with_events[] = "kernel_us=20", with_cupti[] = "kernel_us=20,profiler=1";
    oom_check(open_and_time, with_events);
    oom_check(open_and_time, with_cupti);
}

static enum hone_status open_unknown(void *context, struct hone_error *err)
{
    struct hone_device *dev = NULL;
    struct hone_error inner = {0};
    enum hone_status status = hone_device_open(&dev, context, &inner);
    assert_true(status == HONE_EUSAGE);
    assert_true(inner.text[0]);
    (void)err;
    return HONE_OK;
}

static void unknown_device_is_refused_without_memory(void **state)
{
    (void)state;
    char name[] = "sundial:3";
    oom_check(open_unknown, name);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_survives_every_failing_allocation),
    cmocka_unit_test(unknown_device_is_refused_without_memory),
};
HONE_TEST_MAIN(tests)
