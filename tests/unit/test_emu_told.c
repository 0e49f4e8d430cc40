// What a lane tells others: what it did itself, and of other lanes what it knows. Random
// lanes of warps arrive at gates and pass them, lanes of a warp or of part of it meet or
// come to one aligned instruction, all threads meet; beside them goes an exact account, a
// clock of each thread for each thread. What is reported is a race by that account.
#include "hone_test.h"

#include <string.h>

#include "watch/race.h"

enum { WARPS = 3, THREADS = WARPS * 32, GATES = 3, CELLS = 64, STEPS = 60 };

struct account {
    uint32_t known[THREADS][THREADS]; // steps of the second that the first knows
    uint32_t loads[THREADS][THREADS]; // the same, of loads alone
    uint32_t gates[GATES][THREADS], gate_loads[GATES][THREADS];
    uint32_t stored[CELLS][THREADS], loaded[CELLS][THREADS]; // the last step; 0: none
    uint32_t step, state;
};

static uint32_t below(struct account *a, uint32_t n)
{
    a->state = a->state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)a->state * n) >> 32);
}

static void learn(uint32_t *known, const uint32_t *from)
{
    for (uint32_t t = 0; t < THREADS; t++)
        if (from[t] > known[t]) known[t] = from[t];
}

// Threads from first on, those of the mask of each 32.
static void meet(struct account *a, uint32_t first, uint32_t count, uint32_t mask)
{
    uint32_t all[THREADS] = {0}, loads[THREADS] = {0};
    for (uint32_t t = first; t < first + count; t++) {
        if (!(mask >> t % 32 & 1)) continue;
        learn(all, a->known[t]);
        learn(loads, a->loads[t]);
    }
    for (uint32_t t = first; t < first + count; t++) {
        if (!(mask >> t % 32 & 1)) continue;
        learn(a->known[t], all);
        learn(a->loads[t], loads);
    }
}

// Each lane of the warp learns of the others' own loads.
static void align(struct account *a, uint32_t warp)
{
    uint32_t own[THREADS] = {0};
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        own[t] = a->step;
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        learn(a->loads[t], own);
}

static bool is_known(const struct account *a, const uint32_t *steps, uint32_t thread,
                     bool loads)
{
    for (uint32_t t = 0; t < THREADS; t++)
        if (t != thread && steps[t] > a->known[thread][t] &&
            !(loads && steps[t] <= a->loads[thread][t]))
            return false;
    return true;
}

struct machine {
    struct hone_emu_order order;
    struct hone_emu_races races;
    struct hone_emu_vector gates[GATES];
};

static void machine_begin(struct machine *m)
{
    memset(m, 0, sizeof *m);
    assert_true(hone_emu_races_init(&m->races, 4 * CELLS, 4));
    hone_emu_order_begin(&m->order);
    hone_emu_races_begin(&m->races);
}

// Lanes of mask touch cells that follow one another, or all of them the first.
static bool touch(struct machine *m, struct account *a, uint32_t warp, uint32_t mask,
                  uint32_t first, uint32_t stride, bool writes, bool *races)
{
    uint64_t addresses[32];
    struct hone_emu_conflict conflict;
    struct hone_emu_touch touch = {
        .warp = warp, .mask = mask, .bytes = 4, .addresses = addresses, .writes = writes};
    *races = false;
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t cell = (first + l * stride) % CELLS, t = 32 * warp + l;
        addresses[l] = 4 * cell;
        if (!(mask >> l & 1)) continue;
        *races |= !is_known(a, a->stored[cell], t, false);
        if (writes) *races |= !is_known(a, a->loaded[cell], t, true);
        (writes ? a->stored : a->loaded)[cell][t] = a->known[t][t] = a->step;
    }
    if (stride == 0 && mask & (mask - 1)) { // as hone_emu_merge_lanes leaves them
        touch.mask = mask & (0 - mask);
        touch.several = touch.mask;
    }
    if (!writes) hone_emu_order_load(&m->order, warp);
    return hone_emu_races_touch(&m->races, &m->order, &touch, &conflict);
}

static void synchronise(struct machine *m, struct account *a)
{
    const uint32_t warp = below(a, WARPS), lane = below(a, 32), gate = below(a, GATES);
    const uint32_t thread = 32 * warp + lane;
    const uint32_t half = below(a, 2) ? 0xffff : 0xffff0000;
    switch (below(a, 14)) {
    case 0:
        meet(a, 0, THREADS, UINT32_MAX);
        for (uint32_t w = 0; w < WARPS; w++)
            hone_emu_order_arrive(&m->order, w, 0, true);
        hone_emu_order_open(&m->order, 0, true);
        return;
    case 1:
    case 2:
        meet(a, 32 * warp, 32, UINT32_MAX);
        hone_emu_order_sync_warp(&m->order, warp, UINT32_MAX, UINT32_MAX);
        return;
    case 12:
        meet(a, 32 * warp, 32, half);
        hone_emu_order_sync_warp(&m->order, warp, half, UINT32_MAX);
        return;
    case 13:
        align(a, warp);
        hone_emu_order_align(&m->order, warp);
        return;
    case 3:
    case 4:
    case 5:
    case 6:
        learn(a->gates[gate], a->known[thread]);
        learn(a->gate_loads[gate], a->loads[thread]);
        hone_emu_order_release(&m->order, warp, UINT32_C(1) << lane, &m->gates[gate]);
        return;
    default:
        learn(a->known[thread], a->gates[gate]);
        learn(a->loads[thread], a->gate_loads[gate]);
        hone_emu_order_acquire(&m->order, warp, lane, &m->gates[gate]);
        return;
    }
}

static void what_is_reported_behind_arrivals_is_a_race(void **state)
{
    static struct account a;
    static struct machine m;
    uint32_t found = 0, missed = 0;
    (void)state;
    for (uint32_t trial = 0; trial < 4000; trial++) {
        memset(&a, 0, sizeof a);
        a.state = trial;
        machine_begin(&m);
        for (a.step = 1; a.step < STEPS; a.step++) {
            bool races;
            if (below(&a, 4)) {
                synchronise(&m, &a);
                continue;
            }
            const uint32_t warp = below(&a, WARPS), lane = below(&a, 32);
            const uint32_t mask = below(&a, 3) ? UINT32_C(1) << lane : UINT32_MAX;
            const bool writes = below(&a, 3) == 0;
            const bool told = touch(&m, &a, warp, mask, below(&a, CELLS),
                                    writes ? 1 : below(&a, 2), writes, &races);
            if (told && !races) fail_msg("trial %u step %u is no race", trial, a.step);
            found += told;
            missed += races && !told;
            if (races) break;
        }
        hone_emu_races_fini(&m.races);
    }
    assert_true(found > 2000);
    assert_true(found > 9 * missed);
}

// Lanes of one warp store a cell each, some arrive, and those of another warp load what
// the lane stored, behind the arrivals.
static bool load_races(uint32_t arrive, uint32_t stored, bool meets)
{
    static struct account a;
    static struct machine m;
    bool races;
    memset(&a, 0, sizeof a);
    machine_begin(&m);
    a.step = 1;
    assert_false(touch(&m, &a, 0, UINT32_MAX, 0, 1, true, &races));
    if (meets) hone_emu_order_sync_warp(&m.order, 0, UINT32_MAX, UINT32_MAX);
    hone_emu_order_release(&m.order, 0, arrive, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const bool told = touch(&m, &a, 1, UINT32_C(1) << 5, stored, 0, false, &races);
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
    static struct machine m;
    (void)state;
    machine_begin(&m);
    const hone_emu_stamp by_0 = hone_emu_stamp_make(&m.order, 0, 0, false),
                         by_all = by_0 | HONE_EMU_ANY_LANE << 1,
                         by_two = by_0 | HONE_EMU_SEVERAL << 1;
    hone_emu_order_release(&m.order, 0, UINT32_C(1) << 9, &m.gates[0]);
    assert_true(hone_emu_vector_has(&m.gates[0], by_all));
    assert_false(hone_emu_vector_has(&m.gates[0], by_0));
    assert_false(hone_emu_vector_has(&m.gates[0], by_two));
    assert_false(hone_emu_vector_has(&m.gates[1], by_all));
    hone_emu_races_fini(&m.races);
}

// Warp 0 touches its cells, its lanes of mask meet, or align where that is 0; then a lane
// arrives, and one of warp 1 stores to the cell of a lane of warp 0.
static bool store_races(bool stored, uint32_t met, uint32_t by, uint32_t to)
{
    static struct account a;
    static struct machine m;
    bool races;
    memset(&a, 0, sizeof a);
    machine_begin(&m);
    a.step = 1;
    assert_false(touch(&m, &a, 0, UINT32_MAX, 0, 1, stored, &races));
    if (met)
        hone_emu_order_sync_warp(&m.order, 0, met, UINT32_MAX);
    else
        hone_emu_order_align(&m.order, 0);
    hone_emu_order_release(&m.order, 0, UINT32_C(1) << by, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const bool told = touch(&m, &a, 1, UINT32_C(1) << 5, to, 0, true, &races);
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
        assert_int_equal(hone_emu_global_races_enter(races, id), b);
    }
    for (uint32_t l = 0; l < 32; l++)
        addresses[l] = (UINT64_C(1) << 40) + 4 * l;
    hone_emu_order_load(&orders[0], 0); // of some other word of its own
    assert_false(hone_emu_global_races_touch(races, 0, &orders[0], &touch, &conflict));
    hone_emu_order_align(&orders[0], 0);
    hone_emu_global_races_fence(races, 0,
                                hone_emu_order_told(&orders[0], 0, UINT32_C(1) << by));
    hone_emu_global_races_strong(races, 0, false, true);
    hone_emu_order_fence(&orders[1], 0, UINT32_MAX, hone_emu_global_races_world(races));
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
    cmocka_unit_test(what_is_reported_behind_arrivals_is_a_race),
    cmocka_unit_test(an_arrival_tells_what_its_own_lane_did),
    cmocka_unit_test(a_meeting_of_part_of_a_warp_is_told_by_that_part),
    cmocka_unit_test(an_aligned_instruction_orders_loads_and_no_stores),
    cmocka_unit_test(an_aligned_instruction_orders_loads_of_the_own_block_alone),
};

HONE_TEST_MAIN(tests)
