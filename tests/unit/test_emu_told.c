// What a lane tells others: what it did itself, and of other lanes what it knows. Random
// lanes of warps arrive at gates and pass them, fence, store and load flags, lanes of a
// warp or of part of it meet or come to one aligned instruction, all threads meet; beside
// them goes an exact account, a clock of each thread for each thread. What is reported is
// a race by that account.
#include "emu_account.h"

static uint32_t below(struct account *a, uint32_t n)
{
    a->state = a->state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)a->state * n) >> 32);
}

// A plain access by a whole warp or a lane.
static bool touch_data(struct machine *m, struct account *a, bool *races)
{
    const uint32_t warp = below(a, WARPS), lane = below(a, a->lanes);
    const uint32_t mask = below(a, 3) ? UINT32_C(1) << lane : UINT32_MAX;
    const bool writes = below(a, 3) == 0;
    return account_touch(m, a,
                         &(struct access){.warp = warp,
                                          .mask = mask,
                                          .first = below(a, a->lanes < 32 ? 4 : DATA),
                                          .stride = writes ? 1 : below(a, 2),
                                          .loads = !writes,
                                          .writes = writes},
                         races);
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
    if (access.writes && below(a, 8)) account_fence(m, a, warp, access.mask, below(a, 2));
    const bool told = account_touch(m, a, &access, races);
    if (access.loads && below(a, 8)) account_fence(m, a, warp, access.mask, true);
    return told;
}

static void synchronise(struct machine *m, struct account *a)
{
    const uint32_t warp = below(a, WARPS), lane = below(a, a->lanes);
    const uint32_t gate = below(a, GATES), thread = 32 * warp + lane;
    const uint32_t half = below(a, 2) ? 0xffff : 0xffff0000;
    switch (below(a, 15)) {
    case 0:
        account_meet(a, 0, THREADS, UINT32_MAX);
        for (uint32_t w = 0; w < WARPS; w++)
            hone_emu_order_arrive(&m->order, w, 0, true);
        hone_emu_order_open(&m->order, 0, true);
        return;
    case 1:
    case 2:
        account_meet(a, 32 * warp, 32, UINT32_MAX);
        hone_emu_order_sync_warp(&m->order, warp, UINT32_MAX, UINT32_MAX);
        return;
    case 12:
        account_meet(a, 32 * warp, 32, half);
        hone_emu_order_sync_warp(&m->order, warp, half, UINT32_MAX);
        return;
    case 13:
        account_align(a, warp);
        hone_emu_order_align(&m->order, warp);
        return;
    case 14:
        account_fence(m, a, warp, below(a, 2) ? UINT32_MAX : half, true);
        return;
    case 3:
    case 4:
    case 5:
    case 6:
        account_learn(&a->gates[gate], &a->known[thread]);
        hone_emu_order_release(&m->order, warp, UINT32_C(1) << lane, &m->gates[gate]);
        return;
    default:
        account_learn(&a->known[thread], &a->gates[gate]);
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
        account_begin(&m, &a);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_reported_behind_arrivals_is_a_race),
    cmocka_unit_test(what_is_reported_behind_flags_is_a_race),
};

HONE_TEST_MAIN(tests)
