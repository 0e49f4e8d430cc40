#include "order.h"

#include <string.h>

enum { MAX_CLOCK = (1 << 20) - 1 };

void hone_emu_order_begin(struct hone_emu_order *order)
{
    *order = (struct hone_emu_order){0};
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        order->warps[w].clocks[w] = order->lanes[w].met = 1;
}

// Lanes that are known further than all are; nothing is said of others.
static inline uint32_t lanes_beyond(const struct hone_emu_vector *vector, uint32_t k,
                                    uint32_t whole)
{
    return vector->clocks[k] > whole ? vector->lanes[k] : 0;
}

void hone_emu_order_join(struct hone_emu_vector *into, const struct hone_emu_vector *from)
{
    for (uint32_t k = 0; k < HONE_EMU_MAX_WARPS; k++) {
        const uint32_t whole =
            from->whole[k] > into->whole[k] ? from->whole[k] : into->whole[k];
        into->lanes[k] = lanes_beyond(into, k, whole) | lanes_beyond(from, k, whole);
        into->whole[k] = whole;
    }
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->clocks[k] > into->clocks[k]) into->clocks[k] = from->clocks[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->fenced[k] > into->fenced[k]) into->fenced[k] = from->fenced[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->published[k] > into->published[k])
            into->published[k] = from->published[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->signals[k] > into->signals[k]) into->signals[k] = from->signals[k];
}

void hone_emu_order_tick(struct hone_emu_order *order, uint32_t warp)
{
    uint32_t *clock = &order->warps[warp].clocks[warp];
    if (*clock < MAX_CLOCK) (*clock)++;
}

// All lanes of the warp are at one point: what each did comes before what each will do.
static void meet(struct hone_emu_order *order, uint32_t warp)
{
    hone_emu_order_tick(order, warp);
    order->lanes[warp].met = order->warps[warp].clocks[warp];
}

const struct hone_emu_vector *hone_emu_order_told(struct hone_emu_order *order,
                                                  uint32_t warp, uint32_t mask)
{
    struct hone_emu_vector *own = &order->warps[warp];
    const struct hone_emu_lanes *lanes = &order->lanes[warp];
    uint32_t known = lanes->met;
    for (uint32_t m = mask; m && mask != UINT32_MAX; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (lanes->known[lane] > known) known = lanes->known[lane];
    }
    own->whole[warp] = mask == UINT32_MAX ? own->clocks[warp] : known - 1;
    own->lanes[warp] =
        mask | (lanes->heard >= known ? hone_emu_heard_lanes(lanes, mask) : 0);
    return own;
}

void hone_emu_order_arrive(struct hone_emu_order *order, uint32_t warp, uint32_t barrier,
                           bool waits)
{
    hone_emu_order_join(&order->gates[barrier],
                        hone_emu_order_told(order, warp, UINT32_MAX));
    uint32_t *set = waits ? &order->waiting[barrier] : &order->passing[barrier];
    *set |= UINT32_C(1) << warp;
    meet(order, warp);
}

// All threads are here or have exited: everything so far comes before everything to come.
static void raise_floor(struct hone_emu_order *order, uint32_t waiting)
{
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        if (order->warps[w].clocks[w] > order->floor)
            order->floor = order->warps[w].clocks[w];
    for (uint32_t m = waiting; m; m &= m - 1) {
        uint32_t warp = (uint32_t)__builtin_ctz(m);
        order->warps[warp].clocks[warp] = order->floor;
        meet(order, warp);
    }
}

void hone_emu_order_open(struct hone_emu_order *order, uint32_t barrier, bool whole)
{
    struct hone_emu_vector *gate = &order->gates[barrier];
    if (whole) hone_emu_order_join(gate, &order->exited); // to exit is to arrive there
    for (uint32_t m = order->waiting[barrier]; m; m &= m - 1)
        hone_emu_order_join(&order->warps[__builtin_ctz(m)], gate);
    if (whole && !order->passing[barrier]) raise_floor(order, order->waiting[barrier]);
    if (!whole || order->passing[barrier]) order->partial = true;
    memset(gate, 0, sizeof *gate);
    order->waiting[barrier] = order->passing[barrier] = 0;
}

void hone_emu_order_sync_warp(struct hone_emu_order *order, uint32_t warp)
{
    meet(order, warp);
}

static void advance(uint32_t *clock, uint32_t to)
{
    if (to > *clock) *clock = to;
}

void hone_emu_order_fence(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                          uint32_t world)
{
    struct hone_emu_vector *own = &order->warps[warp];
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    if (world > own->clocks[HONE_EMU_WORLD]) own->clocks[HONE_EMU_WORLD] = world;
    hone_emu_order_join(&order->fenced, hone_emu_order_told(order, warp, mask));
    hone_emu_order_join(own, &order->fenced);
    hone_emu_order_tick(order, warp);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        lanes->fenced[lane] = own->clocks[warp];
        advance(&lanes->known[lane], lanes->seen[lane]);
        advance(&lanes->known[HONE_EMU_SEVERAL], lanes->seen[lane]);
    }
    order->partial = true;
}

void hone_emu_order_strong(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                           bool loads, bool stores)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t signalled = lanes->signalled;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (loads) lanes->seen[lane] = signalled;
        if (stores) advance(&lanes->signalled, lanes->fenced[lane]);
        // who hears of the signal and fences knows that it was made
        if (stores && lanes->fenced[lane])
            advance(&order->fenced.signals[warp], order->warps[warp].clocks[warp]);
    }
}

void hone_emu_order_release(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                            struct hone_emu_vector *gate)
{
    hone_emu_order_join(gate, hone_emu_order_told(order, warp, mask));
    hone_emu_order_tick(order, warp);
    order->partial = true;
}

void hone_emu_order_acquire(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                            const struct hone_emu_vector *gate)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t told = gate->clocks[warp]; // by lanes of its own warp
    const uint32_t whole = gate->lanes[warp] == UINT32_MAX ? told : gate->whole[warp];
    hone_emu_order_join(&order->warps[warp], gate);
    if (told == 0) return;
    advance(&lanes->known[lane], whole + 1);
    advance(&lanes->known[HONE_EMU_SEVERAL], whole + 1);
    if (told <= whole) return;
    if (lanes->heard < lanes->met) lanes->heard_lanes = lanes->hearers = 0; // all know
    advance(&lanes->heard, told);
    lanes->heard_lanes |= gate->lanes[warp];
    lanes->hearers |= hone_emu_lane_bits(lane);
}

void hone_emu_order_proxy_fence(struct hone_emu_order *order, uint32_t warp)
{
    struct hone_emu_vector *own = &order->warps[warp];
    memcpy(own->fenced, own->clocks, sizeof own->fenced);
    own->published[warp] = own->clocks[warp];
    hone_emu_order_tick(order, warp);
}

void hone_emu_order_exit(struct hone_emu_order *order, uint32_t warp)
{
    hone_emu_order_join(&order->exited, hone_emu_order_told(order, warp, UINT32_MAX));
    hone_emu_order_tick(order, warp);
}
