// Launches whose blocks differ in how long they work: when the last one ends, by hand.
#include "hone_test.h"

#include <math.h>

#include "predict/uneven.h"

static const struct hone_limits two_sms = {.sm_count = 2, .sm_clock_khz = 1000000};

// Of blocks that each alone take a cycle of the pipe, and path others, with such works.
static double stretch_of(double blocks, double occupancy, double path, uint32_t count,
                         const double *each)
{
    const struct hone_launch_load load = {
        .blocks = blocks, .occupancy = occupancy, .pipe_cycles = 1, .path_cycles = path};
    struct hone_emu_works works = {.count = count};
    struct hone_error err;
    double out;
    for (uint32_t k = 0; k < count; k++)
        works.each[k] = each[k];
    assert_ok(hone_emu_find_stretch(&out, &works, &load, &two_sms, &err), err);
    return out;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void blocks_that_are_alike_take_what_they_took(void **state)
{
    static const double alike[2] = {1, 1};
    (void)state;
    assert_true(is_near(stretch_of(7, 1, 3, 0, NULL), 1));
    for (double occupancy = 1; occupancy <= 4; occupancy++)
        for (double blocks = 1; blocks <= 40; blocks++)
            for (double path = 0; path <= 3; path += 3)
                assert_true(is_near(stretch_of(blocks, occupancy, path, 2, alike), 1));
}

// One block each: the longest one decides.
static void a_wave_is_as_long_as_its_longest_block(void **state)
{
    static const double each[2] = {0.5, 1.5};
    (void)state;
    assert_true(is_near(stretch_of(2, 1, 3, 2, each), 1.5));
    // short blocks first: each multiprocessor has one of both kinds
    assert_true(is_near(stretch_of(4, 1, 3, 2, each), 1));
}

// Of three blocks on two multiprocessors, which take two rounds if they are alike.
static void a_long_block_that_begins_last_is_waited_for(void **state)
{
    static const double last[3] = {0.5, 0.5, 2}, first[3] = {2, 0.5, 0.5};
    (void)state;
    assert_true(is_near(stretch_of(3, 1, 3, 3, last), 2.5 / 2));
    assert_true(is_near(stretch_of(3, 1, 3, 3, first), 2.0 / 2));
}

// Two at once use the pipe in turns: the short one's end leaves it to the long one.
static void blocks_of_a_multiprocessor_leave_it_to_the_others(void **state)
{
    static const double each[4] = {0.5, 0.5, 1.5, 1.5};
    (void)state;
    assert_true(is_near(stretch_of(4, 2, 0, 4, each), 1));
    // what waits does so beside others: the long one alone is longer than both
    assert_true(stretch_of(4, 2, 9, 4, each) > 1.4);
}

static void of_many_blocks_the_last_do_not_matter(void **state)
{
    static const double each[2] = {0.1, 1.9};
    (void)state;
    assert_true(fabs(stretch_of(16000, 1, 3, 2, each) - 1) < 1e-3);
    assert_true(is_near(stretch_of(1e6, 1, 3, 2, each), 1));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_that_are_alike_take_what_they_took),
    cmocka_unit_test(a_wave_is_as_long_as_its_longest_block),
    cmocka_unit_test(a_long_block_that_begins_last_is_waited_for),
    cmocka_unit_test(blocks_of_a_multiprocessor_leave_it_to_the_others),
    cmocka_unit_test(of_many_blocks_the_last_do_not_matter),
};

HONE_TEST_MAIN(tests)
