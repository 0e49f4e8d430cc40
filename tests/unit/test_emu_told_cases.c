// What a lane tells others, case by case: of flags between fences, arrivals, meetings of
// part of a warp and aligned instructions.
#include <string.h>

#include "emu_account.h"

// A lane of warp 0 stores data and then a flag, and fences between or another does; a lane
// of the warp loads the flag and the data, with a fence between or a release.
static bool data_races(uint32_t warp, bool releases, bool acquires)
{
    static struct account a;
    static struct machine m;
    const uint32_t by = 1, to = 1 << 5, other = 1 << 9;
    const struct access steps[] = {
        {.mask = by, .writes = true},
        {.mask = by, .first = DATA, .writes = true, .strong = true},
        {.warp = warp, .mask = to, .first = DATA, .loads = true, .strong = true},
        {.warp = warp, .mask = to, .loads = true}};
    bool told = false, races;
    account_begin(&m, &a);
    for (uint32_t k = 0; k < 4; k++) {
        if (k == 1) account_fence(&m, &a, 0, releases ? by : other, true);
        if (k == 3) account_fence(&m, &a, warp, to, acquires);
        assert_false(told);
        told = account_touch(&m, &a, &steps[k], &races);
    }
    hone_emu_races_fini(&m.races);
    return told;
}

static void a_flag_tells_of_data_between_two_fences(void **state)
{
    (void)state;
    for (uint32_t warp = 0; warp < WARPS; warp++)
        for (int k = 0; k < 4; k++)
            assert_int_equal(data_races(warp, k & 1, k & 2), k != 3);
}

// Lanes of one warp store a cell each, some arrive, and those of another warp load what
// the lane stored, behind the arrivals.
static bool load_races(uint32_t arrive, uint32_t stored, bool meets)
{
    static struct account a;
    static struct machine m;
    bool races;
    account_begin(&m, &a);
    const struct access all = {.mask = UINT32_MAX, .stride = 1, .writes = true};
    assert_false(account_touch(&m, &a, &all, &races));
    if (meets) hone_emu_order_sync_warp(&m.order, 0, UINT32_MAX, UINT32_MAX);
    hone_emu_order_release(&m.order, 0, arrive, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const struct access one = {
        .warp = 1, .mask = UINT32_C(1) << 5, .first = stored, .loads = true};
    const bool told = account_touch(&m, &a, &one, &races);
    hone_emu_races_fini(&m.races);
    return told;
}

static void an_arrival_tells_what_its_own_lane_did(void **state)
{
    (void)state;
    for (uint32_t by = 0; by < 32; by++)
        for (uint32_t stored = 0; stored < 32; stored++) {
            assert_int_equal(load_races(UINT32_C(1) << by, stored, false), stored != by);
            assert_false(load_races(UINT32_C(1) << by, stored, true));
            assert_false(load_races(UINT32_MAX, stored, false));
        }
}

static void what_a_warp_did_together_any_of_its_lanes_tells(void **state)
{
    static struct account a;
    static struct machine m;
    (void)state;
    account_begin(&m, &a);
    const hone_emu_stamp by_0 = hone_emu_stamp_make(&m.order, 0, 0, false),
                         by_all = by_0 | HONE_EMU_ANY_LANE << 1,
                         by_two = by_0 | HONE_EMU_SEVERAL << 1;
    hone_emu_order_release(&m.order, 0, UINT32_C(1) << 9, &m.gates[0]);
    assert_true(hone_emu_vector_has(&m.gates[0].known, by_all));
    assert_false(hone_emu_vector_has(&m.gates[0].known, by_0));
    assert_false(hone_emu_vector_has(&m.gates[0].known, by_two));
    assert_false(hone_emu_vector_has(&m.gates[1].known, by_all));
    hone_emu_races_fini(&m.races);
}

// Warp 0 touches its cells, its lanes of mask meet, or align where that is 0; then a lane
// arrives, and one of warp 1 stores to the cell of a lane of warp 0.
static bool store_races(bool stored, uint32_t met, uint32_t by, uint32_t to)
{
    static struct account a;
    static struct machine m;
    bool races;
    account_begin(&m, &a);
    const struct access all = {
        .mask = UINT32_MAX, .stride = 1, .loads = !stored, .writes = stored};
    assert_false(account_touch(&m, &a, &all, &races));
    if (met)
        hone_emu_order_sync_warp(&m.order, 0, met, UINT32_MAX);
    else
        hone_emu_order_align(&m.order, 0);
    hone_emu_order_release(&m.order, 0, UINT32_C(1) << by, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const struct access one = {
        .warp = 1, .mask = UINT32_C(1) << 5, .first = to, .writes = true};
    const bool told = account_touch(&m, &a, &one, &races);
    hone_emu_races_fini(&m.races);
    return told;
}

static void a_meeting_of_part_of_a_warp_is_told_by_that_part(void **state)
{
    const uint32_t masks[] = {0xffff, 0xffff0000, 3, 0x80000001};
    (void)state;
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t by = 0; by < 32; by++)
            for (uint32_t to = 0; to < 32; to++) {
                const bool both = masks[k] >> by & 1 && masks[k] >> to & 1;
                assert_int_equal(store_races(true, masks[k], by, to), by != to && !both);
                assert_int_equal(store_races(false, masks[k], by, to), by != to && !both);
            }
}

static void an_aligned_instruction_orders_loads_and_no_stores(void **state)
{
    (void)state;
    for (uint32_t by = 0; by < 32; by++)
        for (uint32_t to = 0; to < 32; to++) {
            assert_int_equal(store_races(true, 0, by, to), by != to);
            assert_false(store_races(false, 0, by, to));
        }
}

// Lanes of a block load their words of shared memory of the owner (0: of device memory)
// and come to one aligned instruction; one of them tells another block, which stores.
static bool other_block_races(uint32_t owner, uint32_t by, uint32_t to)
{
    static struct hone_emu_order orders[2];
    const uint32_t id[3] = {0};
    uint64_t addresses[32];
    struct hone_emu_conflict conflict;
    struct hone_emu_touch touch = {
        .mask = UINT32_MAX, .bytes = 4, .addresses = addresses, .owner = owner};
    struct hone_emu_global_races *races = hone_emu_global_races_new(4, 1);
    assert_non_null(races);
    for (uint32_t b = 0; b < 2; b++) {
        hone_emu_order_begin(&orders[b]);
        assert_int_equal(hone_emu_global_races_enter(races, id, 0), b);
    }
    for (uint32_t l = 0; l < 32; l++)
        addresses[l] = (UINT64_C(1) << 40) + 4 * l;
    hone_emu_order_load(&orders[0], 0); // of some other word of its own
    assert_false(hone_emu_global_races_touch(races, 0, &orders[0], &touch, &conflict));
    hone_emu_order_align(&orders[0], 0);
    struct hone_emu_clocks told_of;
    hone_emu_order_fence(&orders[0], 0, UINT32_C(1) << by, HONE_EMU_ALL_BLOCKS);
    const struct hone_emu_vector *signal = hone_emu_order_signal(
        &orders[0], 0, UINT32_C(1) << by, HONE_EMU_ALL_BLOCKS, &told_of);
    assert_non_null(signal);
    hone_emu_global_races_signal(races, 0, &told_of, signal);
    const struct hone_emu_heard heard = {.world = hone_emu_global_races_world(races)};
    hone_emu_order_note_seen(&orders[1], 0, &heard, false);
    hone_emu_order_learn(&orders[1], 0, UINT32_MAX, HONE_EMU_ALL_BLOCKS);
    hone_emu_order_fence(&orders[1], 0, UINT32_MAX, HONE_EMU_ALL_BLOCKS);
    touch.mask = UINT32_C(1) << to;
    touch.writes = true;
    const bool told =
        hone_emu_global_races_touch(races, 1, &orders[1], &touch, &conflict);
    hone_emu_global_races_free(races);
    return told;
}

static void an_aligned_instruction_orders_loads_of_the_own_block_alone(void **state)
{
    enum { DEVICE_MEMORY, OWN_BLOCK, OTHER_BLOCK };
    (void)state;
    for (uint32_t by = 0; by < 32; by++)
        for (uint32_t to = 0; to < 32; to++) {
            assert_false(other_block_races(OWN_BLOCK, by, to));
            assert_int_equal(other_block_races(OTHER_BLOCK, by, to), by != to);
            assert_int_equal(other_block_races(DEVICE_MEMORY, by, to), by != to);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_a_warp_did_together_any_of_its_lanes_tells),
    cmocka_unit_test(a_flag_tells_of_data_between_two_fences),
    cmocka_unit_test(an_arrival_tells_what_its_own_lane_did),
    cmocka_unit_test(a_meeting_of_part_of_a_warp_is_told_by_that_part),
    cmocka_unit_test(an_aligned_instruction_orders_loads_and_no_stores),
    cmocka_unit_test(an_aligned_instruction_orders_loads_of_the_own_block_alone),
};

HONE_TEST_MAIN(tests)
