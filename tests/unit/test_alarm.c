// A flag that is set at a time, or with another flag.
#include <math.h>
#include <time.h>

#include "base/alarm.h"
#include "base/clock.h"
#include "hone_test.h"

// Until the flag is set; gives up after ten seconds.
static double seconds_until(const volatile sig_atomic_t *flag)
{
    const struct timespec step = {.tv_nsec = 1000000};
    const double begin = hone_clock_seconds();
    while (!*flag && hone_clock_seconds() - begin < 10)
        nanosleep(&step, NULL);
    assert_true(*flag);
    return hone_clock_seconds() - begin;
}

static void an_alarm_goes_off_at_its_time_and_not_before(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_alarm *alarm = NULL;
    assert_ok(hone_alarm_new(&alarm, hone_clock_seconds() + 0.2, NULL, &err), err);
    assert_true(seconds_until(hone_alarm_flag(alarm)) > 0.1);
    hone_alarm_free(alarm);
}

static void a_time_that_is_over_is_no_time(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_alarm *alarm = NULL;
    assert_ok(hone_alarm_new(&alarm, 0, NULL, &err), err);
    seconds_until(hone_alarm_flag(alarm));
    hone_alarm_free(alarm);
}

static void another_flag_sets_it_too(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_alarm *alarm = NULL;
    volatile sig_atomic_t other = 0;
    assert_ok(hone_alarm_new(&alarm, (double)INFINITY, &other, &err), err);
    assert_false(*hone_alarm_flag(alarm));
    other = 1;
    seconds_until(hone_alarm_flag(alarm));
    hone_alarm_free(alarm);
}

static void an_alarm_that_is_not_needed_ends_at_once(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_alarm *alarm = NULL;
    const double begin = hone_clock_seconds();
    assert_ok(hone_alarm_new(&alarm, begin + 1000, NULL, &err), err);
    hone_alarm_free(alarm);
    hone_alarm_free(NULL);
    assert_true(hone_clock_seconds() - begin < 100);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_alarm_goes_off_at_its_time_and_not_before),
    cmocka_unit_test(a_time_that_is_over_is_no_time),
    cmocka_unit_test(another_flag_sets_it_too),
    cmocka_unit_test(an_alarm_that_is_not_needed_ends_at_once),
};
HONE_TEST_MAIN(tests)
