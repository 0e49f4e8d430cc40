// Races against a history of all accesses: accesses of any shape by warps of a block, or
// of several, with barriers of the block and of warps between them. What is reported is a
// race. What is a race is reported, but that an access hides earlier ones of the other
// strength, and on device memory those of other warps of its block.
#include "hone_test.h"

#include <string.h>

#include "watch/race.h"

enum { CELLS = 256, WARPS = 4, BLOCKS = 3, STEPS = 40, MOST = STEPS * 32 };

struct access {
    uint32_t first, end; // bytes
    uint32_t block, warp, lane, phase, sync;
    bool writes, strong;
};

struct history {
    struct access items[MOST];
    size_t count;
    uint32_t phase[BLOCKS], sync[BLOCKS][WARPS];
    uint32_t state; // of the generator
    bool strong;    // there are strong accesses
    uint32_t loads; // to a store
};

static uint32_t below(struct history *h, uint32_t n)
{
    h->state = h->state * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)h->state * n) >> 32);
}

static bool is_race(const struct access *a, const struct access *b)
{
    if (a->first >= b->end || b->first >= a->end || !(a->writes || b->writes) ||
        (a->strong && b->strong))
        return false;
    if (a->block != b->block) return true;
    if (a->phase < b->phase || (a->warp == b->warp && a->lane == b->lane)) return false;
    return a->warp != b->warp || a->sync == b->sync;
}

static bool note(struct history *h, struct access access)
{
    bool race = false;
    for (size_t k = 0; k < h->count; k++)
        race |= is_race(&h->items[k], &access);
    h->items[h->count++] = access;
    return race;
}

// A touch of a random shape, as the checker makes them, and what the history says of it.
struct step {
    struct hone_emu_touch touch;
    uint64_t addresses[32];
    bool races;
};

static void place_lanes(struct history *h, struct step *step)
{
    uint32_t bytes = step->touch.bytes, fit = CELLS / bytes, start = below(h, fit);
    uint32_t stride = below(h, 4) ? 1 : 1 + below(h, 3), width = 1u << below(h, 6);
    for (uint32_t l = 0; l < 32; l++)
        step->addresses[l] =
            (uint64_t)(start + l % width * stride + l / width * 5) % fit * bytes;
}

// The first lane of those with one address stands for all of them.
static void merge_lanes(struct step *step)
{
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t m = 0; m < l; m++)
            if (step->touch.mask >> l & step->touch.mask >> m & 1 &&
                step->addresses[l] == step->addresses[m]) {
                step->touch.mask &= ~(UINT32_C(1) << l);
                step->touch.several |= UINT32_C(1) << m;
            }
}

static void make_step(struct history *h, struct step *step, uint32_t block,
                      uint32_t warps, uint32_t granule)
{
    uint32_t width = 4 - (uint32_t)__builtin_ctz(granule);
    step->touch = (struct hone_emu_touch){.warp = below(h, warps),
                                          .mask = UINT32_MAX,
                                          .bytes = granule << below(h, width + 1),
                                          .addresses = step->addresses,
                                          .writes = below(h, h->loads) == 0,
                                          .strong = h->strong && below(h, 10) == 0,
                                          .reach = HONE_EMU_ALL_BLOCKS};
    if (below(h, 3) == 0) step->touch.mask = 1 + below(h, UINT32_MAX);
    place_lanes(h, step);
    step->races = false;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(step->touch.mask >> l & 1)) continue;
        step->races |= note(
            h, (struct access){.first = (uint32_t)step->addresses[l],
                               .end = (uint32_t)step->addresses[l] + step->touch.bytes,
                               .block = block,
                               .warp = step->touch.warp,
                               .lane = l,
                               .phase = h->phase[block],
                               .sync = h->sync[block][step->touch.warp],
                               .writes = step->touch.writes,
                               .strong = step->touch.strong});
    }
    if (!step->touch.writes) merge_lanes(step);
}

static void synchronise(struct history *h, struct hone_emu_order *order, uint32_t block,
                        uint32_t warps)
{
    uint32_t which = below(h, 2 * warps);
    if (which < warps) { // only this warp
        hone_emu_order_sync_warp(order, which, UINT32_MAX, UINT32_MAX);
        h->sync[block][which]++;
        return;
    }
    for (uint32_t w = 0; w < warps; w++)
        hone_emu_order_arrive(order, w, 0, true);
    hone_emu_order_open(order, 0, true);
    h->phase[block]++;
}

static void reports_on_shared_memory_are_the_races(void **state)
{
    static struct history h;
    size_t found = 0, trials = 1200;
    (void)state;
    for (uint32_t t = 0; t < trials; t++) {
        struct hone_emu_races races;
        struct hone_emu_order order;
        struct hone_emu_conflict conflict;
        const uint32_t granule = 1u << t % 3, warps = 1 + t / 3 % WARPS;
        memset(&h, 0, sizeof h);
        h.state = t;
        h.strong = t % 4 == 3;
        h.loads = 4 + t / 4 % 4 * 30;
        assert_true(hone_emu_races_init(&races, CELLS, granule));
        hone_emu_order_begin(&order);
        for (uint32_t n = 0; n < STEPS; n++) {
            struct step step;
            if (below(&h, 2)) synchronise(&h, &order, 0, warps);
            make_step(&h, &step, 0, warps, granule);
            bool told = hone_emu_races_touch(&races, &order, &step.touch, &conflict);
            if (told != step.races && (told || !h.strong))
                fail_msg("trial %u step %u: %d", t, n, told);
            found += told;
            if (step.races) break;
        }
        hone_emu_races_fini(&races);
    }
    assert_in_range(found, trials / 10, trials - trials / 20);
}

static void check_global_races(uint32_t warps, bool exact)
{
    static struct history h;
    size_t found = 0, trials = 1200;
    for (uint32_t t = 0; t < trials; t++) {
        struct hone_emu_order orders[BLOCKS];
        struct hone_emu_conflict conflict;
        const uint32_t granule = 1u << t % 3, id[3] = {0};
        struct hone_emu_global_races *races = hone_emu_global_races_new(granule, 1);
        assert_non_null(races);
        memset(&h, 0, sizeof h);
        h.state = t;
        h.strong = t % 4 == 3;
        h.loads = 4 + t / 4 % 4 * 30;
        for (uint32_t b = 0; b < BLOCKS; b++) {
            hone_emu_order_begin(&orders[b]);
            assert_int_equal(hone_emu_global_races_enter(races, id, 0), b);
        }
        for (uint32_t n = 0; n < STEPS; n++) {
            struct step step;
            uint32_t b = n < STEPS / 2 ? 0 : below(&h, BLOCKS);
            if (below(&h, 2)) synchronise(&h, &orders[b], b, warps);
            make_step(&h, &step, b, warps, granule);
            for (uint32_t l = 0; l < 32; l++)
                step.addresses[l] += (UINT64_C(1) << 40) + 4096 - CELLS / 2; // two pages
            bool told =
                hone_emu_global_races_touch(races, b, &orders[b], &step.touch, &conflict);
            if (told != step.races && (told || (exact && !h.strong)))
                fail_msg("trial %u step %u: %d", t, n, told);
            found += told;
            if (step.races) break;
        }
        hone_emu_global_races_free(races);
    }
    assert_in_range(found, trials / 10, trials - trials / 20);
}

static void reports_on_global_memory_are_races(void **state)
{
    (void)state;
    check_global_races(1, true);
    check_global_races(WARPS, false);
}

static bool touches(struct hone_emu_races *races, const struct hone_emu_order *order,
                    uint32_t warp, bool writes, struct hone_emu_conflict *out)
{
    const uint64_t addresses[32] = {64};
    const struct hone_emu_touch touch = {
        .warp = warp, .mask = 1, .bytes = 4, .addresses = addresses, .writes = writes};
    return hone_emu_races_touch(races, order, &touch, out);
}

// Two warps read a cell, the second last; those of the mask meet, then a third stores.
static bool store_races(uint32_t met, struct hone_emu_conflict *out)
{
    static struct hone_emu_order order;
    struct hone_emu_races races;
    assert_true(hone_emu_races_init(&races, CELLS, 4));
    hone_emu_order_begin(&order);
    hone_emu_races_begin(&races);
    for (uint32_t w = 0; w < WARPS; w++)
        hone_emu_order_arrive(&order, w, 0, true);
    hone_emu_order_open(&order, 0, true);
    assert_false(touches(&races, &order, 0, false, out));
    assert_false(touches(&races, &order, 1, false, out));
    for (uint32_t m = met; m; m &= m - 1)
        hone_emu_order_arrive(&order, (uint32_t)__builtin_ctz(m), 1, true);
    hone_emu_order_open(&order, 1, false);
    const bool found = touches(&races, &order, 2, true, out);
    hone_emu_races_fini(&races);
    return found;
}

static void a_barrier_of_some_warps_orders_no_other_reader(void **state)
{
    (void)state;
    struct hone_emu_conflict conflict;
    assert_true(store_races(1u << 1 | 1u << 2, &conflict));
    assert_int_equal(conflict.other_warp, 0);
    assert_true(store_races(1u << 0 | 1u << 2, &conflict));
    assert_int_equal(conflict.other_warp, 1);
    assert_false(store_races(1u << 0 | 1u << 1 | 1u << 2, &conflict));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_barrier_of_some_warps_orders_no_other_reader),
    cmocka_unit_test(reports_on_shared_memory_are_the_races),
    cmocka_unit_test(reports_on_global_memory_are_races),
};

HONE_TEST_MAIN(tests)
