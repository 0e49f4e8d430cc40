// Counters read on the fake driver and its fake CUPTI, which hold their callers to NVIDIA's
// own structs and to the order of calls. What CUPTI refuses costs the counters, no more.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hone_test.h"

#include "device/counters.h"
#include "fake/fake_use.h"

static const struct hone_launch small = {
    .grid = {6, 2, 1}, .block = {32, 1, 1}, .deadline_s = 0.05};

struct counted {
    struct hone_counted counters[HONE_COUNTED_MAX + 1];
    struct hone_fault fault;
    size_t count, armed, launches;
    bool present; // CUPTI has the functions
};

static enum hone_status arm(void *context, struct hone_error *err)
{
    (void)err;
    ++*(size_t *)context;
    return HONE_OK;
}

static void count_on(struct counted *out, const char *config, bool light)
{
    struct hone_module *module = NULL;
    struct hone_error err = {0};
    char text[256];
    *out = (struct counted){.present = true};
    const struct hone_count_policy policy = {
        .light = light, .arm = arm, .context = &out->armed};
    snprintf(text, sizeof text, "profiler=1,kernel_us=20,%s", config);
    struct hone_device *dev = fake_open(text, &module);
    const size_t before = fake.launches();
    assert_ok(
        dev->fns->count(dev, module, &small, &policy, out->counters, &out->fault, &err),
        err);
    out->launches = fake.launches() - before;
    while (out->counters[out->count].name)
        out->count++;
    if (out->fault.outcome == HONE_VALID)
        assert_true(out->count > 0);
    else
        assert_int_equal(out->count, 0);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    if (!out->fault.sticky) assert_int_equal(fake.live(), 0);
    out->present = !strstr(out->fault.reason, "CUPTI lacks");
    if (!out->present) SKIP("%s", out->fault.reason);
}

static double value_of(const struct counted *counted, const char *name)
{
    for (size_t i = 0; i < counted->count; i++)
        if (strcmp(counted->counters[i].name, name) == 0)
            return counted->counters[i].value;
    return (double)NAN;
}

static void a_launch_is_counted_pass_by_pass(void **state)
{
    (void)state;
    struct counted light, all;
    count_on(&light, "cc=90", true);
    count_on(&all, "cc=90", false);
    assert_int_equal(light.fault.outcome, HONE_VALID);
    assert_int_equal(all.fault.outcome, HONE_VALID);
    assert_true(light.count > 20 && light.count < all.count);
    assert_true(value_of(&light, "blocks") == 12);
    assert_true(value_of(&all, "blocks") == 12);
    assert_true(fabs(value_of(&all, "time_ns") - 20000) < 1);
    assert_true(light.launches > 1 && light.launches < all.launches);
    assert_int_equal(light.armed, light.launches);
    assert_int_equal(all.armed, all.launches);
}

// Units are those of the table, whatever the order.
static void counters_have_the_units_of_the_table(void **state)
{
    (void)state;
    struct counted all;
    count_on(&all, "cc=80", false);
    for (size_t i = 0; i < all.count; i++) {
        const struct hone_counter *counter = NULL;
        for (size_t k = 0; hone_counter_at(k); k++)
            if (strcmp(hone_counter_at(k)->name, all.counters[i].name) == 0)
                counter = hone_counter_at(k);
        assert_non_null(counter);
        assert_string_equal(counter->unit, all.counters[i].unit);
    }
}

static void refusals_name_the_way_out(void **state)
{
    (void)state;
    static const struct {
        int code;
        const char *text;
    } rows[] = {
        {35, "NVreg_RestrictProfilingToAdminUsers=0"},
        {26, "another profiler has the counters"},
        {27, "does not count by ranges"},
        {33, "virtual GPU"},
        {39, "another profiler is attached"},
        {43, "MIG"},
        {999, "failed, 999"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct counted counted;
        char config[64];
        snprintf(config, sizeof config, "count_code=%d,count_call=6", rows[i].code);
        count_on(&counted, config, true);
        assert_int_equal(counted.fault.outcome, HONE_LAUNCH_FAILED);
        assert_false(counted.fault.sticky);
        if (!strstr(counted.fault.reason, rows[i].text))
            fail_msg("%d: %s", rows[i].code, counted.fault.reason);
    }
}

// Each in turn: what was begun is ended, and the next launch is counted.
static void any_call_may_fail(void **state)
{
    (void)state;
    size_t failed = 0;
    for (int call = 1; call < 200; call++) {
        struct counted counted;
        char config[64];
        snprintf(config, sizeof config, "count_code=999,count_call=%d", call);
        count_on(&counted, config, true);
        if (counted.fault.outcome == HONE_VALID) break;
        assert_non_null(strstr(counted.fault.reason, "CUPTI: cupti"));
        failed++;
    }
    assert_true(failed > 20 && failed < 199);
    struct counted after;
    count_on(&after, "cc=90", true);
    assert_int_equal(after.fault.outcome, HONE_VALID);
}

static void other_passes_than_planned_are_taken(void **state)
{
    (void)state;
    struct counted counted;
    count_on(&counted, "count_passes=1", true);
    assert_int_equal(counted.fault.outcome, HONE_VALID);
    assert_int_equal(counted.launches, 1);
    count_on(&counted, "count_passes=1000", true);
    assert_int_equal(counted.fault.outcome, HONE_LAUNCH_FAILED);
    assert_non_null(strstr(counted.fault.reason, "not counted to the end"));
    assert_true(counted.launches < 100);
}

static void what_is_no_number_is_left_out(void **state)
{
    (void)state;
    struct counted whole, some, none;
    count_on(&whole, "cc=90", true);
    count_on(&some, "count_nan=2", true);
    assert_int_equal(some.fault.outcome, HONE_VALID);
    assert_int_equal(some.count, whole.count / 2);
    for (size_t i = 0; i < some.count; i++)
        assert_true(isfinite(some.counters[i].value));
    count_on(&none, "count_nan=1", true);
    assert_int_equal(none.fault.outcome, HONE_LAUNCH_FAILED);
}

static void dropped_ranges_are_no_result(void **state)
{
    (void)state;
    struct counted counted;
    count_on(&counted, "count_dropped=1", true);
    assert_int_equal(counted.fault.outcome, HONE_LAUNCH_FAILED);
    assert_non_null(strstr(counted.fault.reason, "dropped"));
}

static void what_cannot_be_counted_is_said(void **state)
{
    (void)state;
    struct counted counted, whole;
    count_on(&counted, "count_vgpu=1", true);
    assert_non_null(strstr(counted.fault.reason, "virtual GPU"));
    count_on(&whole, "cc=90", true);
    count_on(&counted, "count_taken=1", true);
    assert_int_equal(counted.fault.outcome, HONE_VALID);
    assert_true(counted.count < whole.count);
    assert_true(isnan(value_of(&counted, "dram_read_bytes")));
    assert_true(value_of(&whole, "dram_read_bytes") > 0);
}

static void a_driver_without_the_interface_is_told(void **state)
{
    (void)state;
    struct counted counted;
    count_on(&counted, "profiler=0", true);
    assert_int_equal(counted.fault.outcome, HONE_LAUNCH_FAILED);
    assert_non_null(strstr(counted.fault.reason, "offers nothing to CUPTI"));
}

// Of one that never ends CUPTI is not asked, since it would wait: the fake sees to that.
static void a_kernel_that_faults_is_its_own_fault(void **state)
{
    (void)state;
    struct counted counted;
    setenv("HONE_CLOCK", "event", 1); // opening it launches nothing
    count_on(&counted, "fault=700@2", true);
    assert_int_equal(counted.fault.outcome, HONE_CRASHED);
    assert_true(counted.fault.sticky);
    count_on(&counted, "hang=2", true);
    assert_int_equal(counted.fault.outcome, HONE_TIMED_OUT);
    unsetenv("HONE_CLOCK");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_launch_is_counted_pass_by_pass),
    cmocka_unit_test(counters_have_the_units_of_the_table),
    cmocka_unit_test(refusals_name_the_way_out),
    cmocka_unit_test(any_call_may_fail),
    cmocka_unit_test(other_passes_than_planned_are_taken),
    cmocka_unit_test(what_is_no_number_is_left_out),
    cmocka_unit_test(dropped_ranges_are_no_result),
    cmocka_unit_test(what_cannot_be_counted_is_said),
    cmocka_unit_test(a_driver_without_the_interface_is_told),
    cmocka_unit_test(a_kernel_that_faults_is_its_own_fault),
};
HONE_TEST_MAIN(tests)
