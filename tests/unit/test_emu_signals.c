// What blocks have told each other, block by block: race_blocks.c, and which signals a
// strong load has seen: race_places.c.
#include <stdlib.h>

#include "hone_test.h"
#include "watch/race_global.h"

enum { WARP = 3, BLOCKS = 4 }; // blocks 0 and 1 are a cluster, 2 and 3 another

static struct hone_emu_global_races *make(void)
{
    const uint32_t id[3] = {0};
    struct hone_emu_global_races *races = hone_emu_global_races_new(4, 1);
    assert_non_null(races);
    for (uint32_t b = 0; b < BLOCKS; b++)
        assert_int_equal(hone_emu_global_races_enter(races, id, b % 2), b);
    return races;
}

// What a thread knows that all lanes of the warp have come so far.
static struct hone_emu_vector knows(uint32_t clock)
{
    struct hone_emu_vector known = {0};
    known.clocks[WARP] = known.whole[WARP] = clock;
    return known;
}

static void tell_all(struct hone_emu_global_races *races, uint32_t block,
                     const struct hone_emu_vector *told)
{
    hone_emu_global_races_signal(races, block, &told->known, told);
}

// fenced: up to which clock that is behind fences.
static void tell_cluster(struct hone_emu_global_races *races, uint32_t block,
                         const struct hone_emu_vector *told, uint32_t fenced)
{
    struct hone_emu_news news = {.any = fenced > 0};
    news.fenced[HONE_EMU_ALL_BLOCKS] = knows(fenced).known;
    hone_emu_global_races_signal_cluster(races, block, &told->known, &news, told);
}

// Does the block, which has heard of so many signals to all and to its cluster, know what
// block 0 did at the clock?
static bool is_known(const struct hone_emu_global_races *races, uint32_t by,
                     uint32_t world, uint32_t cluster, uint32_t clock)
{
    struct hone_emu_vector known = {0};
    known.clocks[HONE_EMU_WORLD] = world;
    known.clocks[HONE_EMU_CLUSTER] = cluster;
    return hone_emu_global_races_ordered(races, 0, hone_emu_stamp_at(clock, WARP, 7), 0,
                                         (struct hone_emu_knower){by, &known});
}

static void what_a_block_tells_all_each_of_them_hears(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(5);
    tell_all(races, 0, &told);
    for (uint32_t by = 1; by < BLOCKS; by++) {
        assert_true(is_known(races, by, 1, 0, 5));
        assert_false(is_known(races, by, 1, 0, 6));
        assert_false(is_known(races, by, 0, 0, 5));
    }
    hone_emu_global_races_free(races);
}

static void what_a_block_tells_its_cluster_no_other_hears(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(5);
    tell_cluster(races, 0, &told, 5);
    assert_true(is_known(races, 1, 0, 1, 5));
    assert_false(is_known(races, 1, 1, 0, 5)); // by a signal through device memory
    assert_false(is_known(races, 2, 1, 1, 5));
    hone_emu_global_races_free(races);
}

// Block 1 has heard of a signal of block 0, and signals itself. fences: behind a fence of
// its own.
static bool is_passed_on(uint32_t fenced, bool hears, bool fences)
{
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(5);
    tell_cluster(races, 0, &told, fenced);
    struct hone_emu_vector by = knows(2), behind = knows(2);
    by.clocks[HONE_EMU_CLUSTER] = hears;
    behind.clocks[HONE_EMU_CLUSTER] = hears && fences;
    hone_emu_global_races_signal(races, 1, &behind.known, &by);
    const bool known = is_known(races, 2, 2, 0, 5);
    assert_false(is_known(races, 2, 1, 0, 5)); // an older signal tells nothing
    hone_emu_global_races_free(races);
    return known;
}

// The same of signals by strong stores for the cluster: near.
static bool is_known_near(const struct hone_emu_global_races *races, uint32_t by,
                          uint32_t near, uint32_t clock)
{
    struct hone_emu_vector known = {0};
    known.clocks[HONE_EMU_NEAR] = near;
    return hone_emu_global_races_ordered(races, 0, hone_emu_stamp_at(clock, WARP, 7), 0,
                                         (struct hone_emu_knower){by, &known});
}

static void what_a_block_tells_near_ones_no_other_cluster_hears(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(5);
    hone_emu_global_races_signal_near(races, 0, &told.known, &told);
    assert_true(is_known_near(races, 1, 1, 5));
    assert_false(is_known_near(races, 1, 1, 6));
    assert_false(is_known_near(races, 1, 0, 5));
    assert_false(is_known_near(races, 2, 1, 5));
    assert_false(is_known(races, 1, 1, 1, 5)); // by other ways than a near signal
    assert_false(is_known(races, 2, 1, 1, 5));
    hone_emu_global_races_free(races);
}

// Block 1 has heard of a near signal of block 0, behind a fence for all or not, and
// signals to all.
static void what_near_ones_told_goes_to_all_behind_a_fence(void **state)
{
    (void)state;
    for (uint32_t fences = 0; fences < 2; fences++) {
        struct hone_emu_global_races *races = make();
        const struct hone_emu_vector told = knows(5);
        hone_emu_global_races_signal_near(races, 0, &told.known, &told);
        struct hone_emu_vector by = knows(2), behind = knows(2);
        by.clocks[HONE_EMU_NEAR] = 1;
        behind.clocks[HONE_EMU_NEAR] = fences;
        hone_emu_global_races_signal(races, 1, &behind.known, &by);
        assert_int_equal(is_known(races, 2, 2, 0, 5), fences);
        hone_emu_global_races_free(races);
    }
}

static void what_near_ones_know_of_all_is_counted(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    struct hone_emu_vector told = knows(5);
    tell_all(races, 2, &told);
    assert_int_equal(hone_emu_global_races_known_near(races, 1), 0);
    told.clocks[HONE_EMU_WORLD] = 1;
    hone_emu_global_races_signal_near(races, 0, &told.known, &told);
    assert_int_equal(hone_emu_global_races_known_near(races, 1), 1);
    assert_int_equal(hone_emu_global_races_known_near(races, 3), 0);
    hone_emu_global_races_free(races);
}

static void a_signal_takes_along_what_was_fenced(void **state)
{
    (void)state;
    assert_true(is_passed_on(0, true, true));
    assert_true(is_passed_on(5, true, false));
    assert_false(is_passed_on(4, true, false));
    assert_false(is_passed_on(0, true, false));
    assert_false(is_passed_on(5, false, true));
}

static void what_a_cluster_knows_of_others_its_blocks_hear(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    struct hone_emu_vector told = knows(5);
    tell_all(races, 2, &told);
    told.clocks[HONE_EMU_WORLD] = 1;
    tell_cluster(races, 0, &told, 0);
    assert_int_equal(hone_emu_global_races_heard(races, 1).world, 1);
    assert_int_equal(hone_emu_global_races_heard(races, 1).cluster, 2);
    assert_false(hone_emu_global_races_heard(races, 1).fenced);
    assert_int_equal(hone_emu_global_races_heard(races, 3).world, 0);
    hone_emu_global_races_free(races);
}

// The first of many signals is heard of; what the last one tells, too, by mistake?
static bool are_mixed_up(uint32_t signals, bool looked_at)
{
    struct hone_emu_global_races *races = make();
    for (uint32_t n = 1; n <= signals; n++) {
        const struct hone_emu_vector told = knows(n);
        tell_cluster(races, 0, &told, 0);
        if (n == 1 || looked_at) hone_emu_global_races_heard(races, 1);
    }
    assert_true(is_known(races, 1, 0, 1, 1));
    assert_true(is_known(races, 1, 0, signals, signals));
    const bool mixed = is_known(races, 1, 0, 1, 2);
    hone_emu_global_races_free(races);
    return mixed;
}

static void signals_between_which_nobody_looked_count_as_one(void **state)
{
    (void)state;
    assert_false(are_mixed_up(HONE_EMU_BLOCK_SIGNALS, true));
    assert_true(are_mixed_up(HONE_EMU_BLOCK_SIGNALS + 1, true));
    assert_false(are_mixed_up(1000, false));
}

// Where there is no room for what signals told, all of it is taken to be known.
static void signals_that_find_no_room_are_known(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    races->pages.bytes = hone_emu_most_race_bytes - sizeof(struct hone_emu_block_signal);
    for (uint32_t n = 1; n <= 3; n++) {
        const struct hone_emu_vector told = knows(n);
        tell_all(races, 0, &told);
        races->counted = races->signals;
        assert_int_equal(is_known(races, 2, 1, 0, 2), n > 1);
    }
    assert_true(races->blocks[0].told[HONE_EMU_TO_ALL].forgets);
    assert_true(races->pages.bytes <= hone_emu_most_race_bytes);
    hone_emu_global_races_free(races);
}

// ---- places ----

static struct hone_emu_touch touch_of(const uint64_t *addresses, uint32_t mask,
                                      uint32_t bytes)
{
    return (struct hone_emu_touch){.mask = mask,
                                   .bytes = bytes,
                                   .addresses = addresses,
                                   .reach = HONE_EMU_ALL_BLOCKS};
}

static void a_load_sees_the_signals_before_the_last_store_to_its_place(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(1);
    uint64_t at[32] = {4096, 4100};
    const struct hone_emu_touch first = touch_of(at, 1, 4), second = touch_of(at, 2, 4),
                                both = touch_of(at, 1, 8);
    assert_int_equal(hone_emu_global_races_marked(races, &first), 0);
    tell_all(races, 0, &told);
    hone_emu_global_races_mark(races, &first);
    tell_all(races, 0, &told);
    tell_all(races, 0, &told);
    assert_int_equal(hone_emu_global_races_marked(races, &first), 1);
    assert_int_equal(hone_emu_global_races_marked(races, &second), 0);
    hone_emu_global_races_mark(races, &second);
    assert_int_equal(hone_emu_global_races_marked(races, &first), 1);
    assert_int_equal(hone_emu_global_races_marked(races, &both), 3);
    hone_emu_global_races_free(races);
}

static void places_that_find_no_room_have_seen_every_signal(void **state)
{
    (void)state;
    struct hone_emu_global_races *races = make();
    const struct hone_emu_vector told = knows(1);
    uint64_t at[32];
    const struct hone_emu_touch touch = touch_of(at, UINT32_MAX, 4);
    tell_all(races, 0, &told);
    for (uint64_t k = 0; !races->places.full; k++) {
        for (uint32_t l = 0; l < 32; l++)
            at[l] = (k * 32 + l) * 4;
        hone_emu_global_races_mark(races, &touch);
        assert_true(k < 1 << 16); // 2^19 places and some
    }
    assert_null(races->places.slots);
    tell_all(races, 0, &told);
    at[0] = 0; // the first one
    assert_int_equal(hone_emu_global_races_marked(races, &touch), 2);
    hone_emu_global_races_mark(races, &touch);
    hone_emu_global_races_free(races);
}

static void where_some_blocks_are_not_watched_every_signal_is_seen(void **state)
{
    (void)state;
    const uint64_t at[32] = {4096};
    const struct hone_emu_touch touch = touch_of(at, 1, 4);
    struct hone_emu_global_races *races = make();
    hone_emu_global_races_sample(races);
    const struct hone_emu_vector told = knows(1);
    tell_all(races, 0, &told);
    assert_int_equal(hone_emu_global_races_marked(races, &touch),
                     hone_emu_global_races_world(races));
    hone_emu_global_races_free(races);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_block_tells_all_each_of_them_hears),
    cmocka_unit_test(what_a_block_tells_its_cluster_no_other_hears),
    cmocka_unit_test(what_a_block_tells_near_ones_no_other_cluster_hears),
    cmocka_unit_test(what_near_ones_told_goes_to_all_behind_a_fence),
    cmocka_unit_test(what_near_ones_know_of_all_is_counted),
    cmocka_unit_test(a_signal_takes_along_what_was_fenced),
    cmocka_unit_test(what_a_cluster_knows_of_others_its_blocks_hear),
    cmocka_unit_test(signals_between_which_nobody_looked_count_as_one),
    cmocka_unit_test(signals_that_find_no_room_are_known),
    cmocka_unit_test(a_load_sees_the_signals_before_the_last_store_to_its_place),
    cmocka_unit_test(places_that_find_no_room_have_seen_every_signal),
    cmocka_unit_test(where_some_blocks_are_not_watched_every_signal_is_seen),
};

HONE_TEST_MAIN(tests)
