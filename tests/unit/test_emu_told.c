// What a lane tells others: what it did itself, and of other lanes what it knows. Random
// lanes of warps arrive at gates and pass them, fence, store and load flags, lanes of a
// warp or of part of it meet or come to one aligned instruction, all threads meet; beside
// them goes an exact account, a clock of each thread for each thread. What is reported is
// a race by that account.
#include "hone_test.h"

#include <string.h>

#include "watch/race.h"

enum {
    WARPS = 3,
    THREADS = WARPS * 32,
    GATES = 3,
    DATA = 64, // cells that are loaded and stored by plain accesses
    FLAGS = 3, // cells that are for strong ones, behind them
    CELLS = DATA + FLAGS,
    STEPS = 60
};

// Steps of each thread up to which all that it did is known, and its loads.
struct knowledge {
    uint32_t all[THREADS], loads[THREADS];
};

struct account {
    struct knowledge known[THREADS], gates[GATES];
    struct knowledge fenced[THREADS];   // what the thread's next strong store tells
    struct knowledge seen[THREADS];     // what its next fence makes known
    struct knowledge signals[CELLS];    // what a strong load of the cell sees
    uint32_t stored[2][CELLS][THREADS]; // the last step, plain and strong; 0: none
    uint32_t loaded[2][CELLS][THREADS];
    uint32_t step, state;
    uint32_t lanes; // that arrive, fence and use flags by themselves
};

static uint32_t below(struct account *a, uint32_t n)
{
    a->state = a->state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)a->state * n) >> 32);
}

static void learn(struct knowledge *known, const struct knowledge *from)
{
    for (uint32_t t = 0; t < THREADS; t++) {
        if (from->all[t] > known->all[t]) known->all[t] = from->all[t];
        if (from->loads[t] > known->loads[t]) known->loads[t] = from->loads[t];
    }
}

// Threads from first on, those of the mask of each 32.
static void meet(struct account *a, uint32_t first, uint32_t count, uint32_t mask)
{
    struct knowledge all = {.all = {0}};
    for (uint32_t t = first; t < first + count; t++)
        if (mask >> t % 32 & 1) learn(&all, &a->known[t]);
    for (uint32_t t = first; t < first + count; t++)
        if (mask >> t % 32 & 1) learn(&a->known[t], &all);
}

// Each lane of the warp learns of the others' own loads.
static void align(struct account *a, uint32_t warp)
{
    struct knowledge own = {.all = {0}};
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        own.loads[t] = a->step;
    for (uint32_t t = 32 * warp; t < 32 * warp + 32; t++)
        learn(&a->known[t], &own);
}

static bool is_known(const struct account *a, const uint32_t *steps, uint32_t thread,
                     bool loads)
{
    const struct knowledge *known = &a->known[thread];
    for (uint32_t t = 0; t < THREADS; t++)
        if (t != thread && steps[t] > known->all[t] &&
            !(loads && steps[t] <= known->loads[t]))
            return false;
    return true;
}

struct machine {
    struct hone_emu_order order;
    struct hone_emu_races races;
    struct hone_emu_gate gates[GATES];
};

static void machine_begin(struct machine *m, struct account *a)
{
    memset(m, 0, sizeof *m);
    memset(a, 0, sizeof *a);
    a->step = 1;
    assert_true(hone_emu_races_init(&m->races, 4 * CELLS, 4));
    hone_emu_order_begin(&m->order);
    hone_emu_races_begin(&m->races);
}

// ---- accesses ----

// An access by lanes of a warp to cells that follow one another, or all of them to the
// first. Only one that is strong may load and store.
struct access {
    uint32_t warp, mask, first, stride;
    bool loads, writes, strong;
};

static uint32_t cell_of(const struct access *access, uint32_t lane)
{
    const uint32_t cell = access->first + lane * access->stride;
    return access->first < DATA ? cell % DATA : cell;
}

// Does it race with what others did to the cell?
static bool is_race(const struct account *a, const struct access *access, uint32_t cell,
                    uint32_t thread)
{
    for (int strong = 0; strong < (access->strong ? 1 : 2); strong++) {
        if (!is_known(a, a->stored[strong][cell], thread, false)) return true;
        if (access->writes && !is_known(a, a->loaded[strong][cell], thread, true))
            return true;
    }
    return false;
}

// A strong load sees what the cell's last strong store tells, which is what its thread
// knew at its last fence; one that loads and stores tells that on.
static void tell(struct account *a, const struct access *access, uint32_t cell,
                 uint32_t thread)
{
    struct knowledge *signal = &a->signals[cell];
    if (access->strong && access->loads) learn(&a->seen[thread], signal);
    if (access->writes && !access->loads) memset(signal, 0, sizeof *signal);
    if (access->writes && access->strong) learn(signal, &a->fenced[thread]);
}

static bool note(struct account *a, const struct access *access)
{
    bool races = false;
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t cell = cell_of(access, l), t = 32 * access->warp + l;
        if (!(access->mask >> l & 1)) continue;
        races |= is_race(a, access, cell, t);
        a->known[t].all[t] = a->step;
        if (access->writes) a->stored[access->strong][cell][t] = a->step;
        if (access->loads) a->loaded[access->strong][cell][t] = a->step;
        tell(a, access, cell, t);
    }
    return races;
}

// What the checker says of it; races: what the account does.
static bool touch(struct machine *m, struct account *a, const struct access *access,
                  bool *races)
{
    const uint32_t mask = access->mask;
    uint64_t addresses[32];
    struct hone_emu_conflict conflict;
    struct hone_emu_touch touch = {.warp = access->warp,
                                   .mask = mask,
                                   .bytes = 4,
                                   .addresses = addresses,
                                   .writes = access->writes,
                                   .strong = access->strong,
                                   .reach = HONE_EMU_ALL_BLOCKS};
    for (uint32_t l = 0; l < 32; l++)
        addresses[l] = 4 * (uint64_t)cell_of(access, l);
    *races = note(a, access);
    if (access->stride == 0 && mask & (mask - 1)) { // as hone_emu_merge_lanes leaves them
        touch.mask = mask & (0 - mask);
        touch.several = touch.mask;
    }
    if (access->strong)
        hone_emu_order_strong(&m->order, access->warp, mask, access->loads,
                              access->writes);
    if (!access->writes) hone_emu_order_load(&m->order, access->warp);
    return hone_emu_races_touch(&m->races, &m->order, &touch, &conflict);
}

// A plain access by a whole warp or a lane.
static bool touch_data(struct machine *m, struct account *a, bool *races)
{
    const uint32_t warp = below(a, WARPS), lane = below(a, a->lanes);
    const uint32_t mask = below(a, 3) ? UINT32_C(1) << lane : UINT32_MAX;
    const bool writes = below(a, 3) == 0;
    return touch(m, a,
                 &(struct access){.warp = warp,
                                  .mask = mask,
                                  .first = below(a, a->lanes < 32 ? 4 : DATA),
                                  .stride = writes ? 1 : below(a, 2),
                                  .loads = !writes,
                                  .writes = writes},
                 races);
}

// A fence, or a release, which does not acquire.
static void fence(struct machine *m, struct account *a, uint32_t warp, uint32_t mask,
                  bool acquires)
{
    for (uint32_t l = 0; l < 32; l++) {
        const uint32_t t = 32 * warp + l;
        if (!(mask >> l & 1)) continue;
        if (acquires) learn(&a->known[t], &a->seen[t]);
        a->fenced[t] = a->known[t];
    }
    if (acquires) hone_emu_order_learn(&m->order, warp, mask, HONE_EMU_OWN_BLOCK);
    hone_emu_order_fence(&m->order, warp, mask, HONE_EMU_OWN_BLOCK);
}

// A lane stores a flag, loads it or does both, mostly behind a fence or a release, ahead
// of a fence or between two; now and then it is a cell of data.
static bool touch_flag(struct machine *m, struct account *a, bool *races)
{
    const uint32_t warp = below(a, WARPS), kind = below(a, 3);
    const struct access access = {.warp = warp,
                                  .mask = UINT32_C(1) << below(a, a->lanes),
                                  .first =
                                      below(a, 16) ? DATA + below(a, FLAGS) : below(a, 4),
                                  .loads = kind > 0,
                                  .writes = kind != 1,
                                  .strong = true};
    if (access.writes && below(a, 8)) fence(m, a, warp, access.mask, below(a, 2));
    const bool told = touch(m, a, &access, races);
    if (access.loads && below(a, 8)) fence(m, a, warp, access.mask, true);
    return told;
}

static void synchronise(struct machine *m, struct account *a)
{
    const uint32_t warp = below(a, WARPS), lane = below(a, a->lanes);
    const uint32_t gate = below(a, GATES), thread = 32 * warp + lane;
    const uint32_t half = below(a, 2) ? 0xffff : 0xffff0000;
    switch (below(a, 15)) {
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
    case 14:
        fence(m, a, warp, below(a, 2) ? UINT32_MAX : half, true);
        return;
    case 3:
    case 4:
    case 5:
    case 6:
        learn(&a->gates[gate], &a->known[thread]);
        hone_emu_order_release(&m->order, warp, UINT32_C(1) << lane, &m->gates[gate]);
        return;
    default:
        learn(&a->known[thread], &a->gates[gate]);
        hone_emu_order_acquire(&m->order, warp, lane, &m->gates[gate]);
        return;
    }
}

struct tally {
    uint32_t found, missed;
};

// Flags take so many of 8 steps.
static struct tally try_all(uint32_t flags)
{
    static struct account a;
    static struct machine m;
    struct tally tally = {0};
    for (uint32_t trial = 0; trial < 4000; trial++) {
        machine_begin(&m, &a);
        a.state = trial;
        a.lanes = flags && trial % 2 ? 2 : 32;
        for (; a.step < STEPS; a.step++) {
            const uint32_t kind = below(&a, 8);
            bool races;
            if (kind >= 2 + flags) {
                synchronise(&m, &a);
                continue;
            }
            const bool told =
                kind < 2 ? touch_data(&m, &a, &races) : touch_flag(&m, &a, &races);
            if (told && !races) fail_msg("trial %u step %u is no race", trial, a.step);
            tally.found += told;
            tally.missed += races && !told;
            if (races) break;
        }
        hone_emu_races_fini(&m.races);
    }
    return tally;
}

static void what_is_reported_behind_arrivals_is_a_race(void **state)
{
    const struct tally tally = try_all(0);
    (void)state;
    assert_true(tally.found > 2000);
    assert_true(tally.found > 9 * tally.missed);
}

// A signal of another flag counts for the one that was seen, so more is missed.
static void what_is_reported_behind_flags_is_a_race(void **state)
{
    const struct tally tally = try_all(4);
    (void)state;
    assert_true(tally.found > 3000);
    assert_true(tally.found > 15 * tally.missed);
}

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
    machine_begin(&m, &a);
    for (uint32_t k = 0; k < 4; k++) {
        if (k == 1) fence(&m, &a, 0, releases ? by : other, true);
        if (k == 3) fence(&m, &a, warp, to, acquires);
        assert_false(told);
        told = touch(&m, &a, &steps[k], &races);
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
    machine_begin(&m, &a);
    const struct access all = {.mask = UINT32_MAX, .stride = 1, .writes = true};
    assert_false(touch(&m, &a, &all, &races));
    if (meets) hone_emu_order_sync_warp(&m.order, 0, UINT32_MAX, UINT32_MAX);
    hone_emu_order_release(&m.order, 0, arrive, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const struct access one = {
        .warp = 1, .mask = UINT32_C(1) << 5, .first = stored, .loads = true};
    const bool told = touch(&m, &a, &one, &races);
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
    machine_begin(&m, &a);
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
    machine_begin(&m, &a);
    const struct access all = {
        .mask = UINT32_MAX, .stride = 1, .loads = !stored, .writes = stored};
    assert_false(touch(&m, &a, &all, &races));
    if (met)
        hone_emu_order_sync_warp(&m.order, 0, met, UINT32_MAX);
    else
        hone_emu_order_align(&m.order, 0);
    hone_emu_order_release(&m.order, 0, UINT32_C(1) << by, &m.gates[0]);
    hone_emu_order_acquire(&m.order, 1, 5, &m.gates[0]);
    const struct access one = {
        .warp = 1, .mask = UINT32_C(1) << 5, .first = to, .writes = true};
    const bool told = touch(&m, &a, &one, &races);
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
    cmocka_unit_test(what_is_reported_behind_arrivals_is_a_race),
    cmocka_unit_test(what_is_reported_behind_flags_is_a_race),
    cmocka_unit_test(a_flag_tells_of_data_between_two_fences),
    cmocka_unit_test(an_arrival_tells_what_its_own_lane_did),
    cmocka_unit_test(a_meeting_of_part_of_a_warp_is_told_by_that_part),
    cmocka_unit_test(an_aligned_instruction_orders_loads_and_no_stores),
    cmocka_unit_test(an_aligned_instruction_orders_loads_of_the_own_block_alone),
};

HONE_TEST_MAIN(tests)
