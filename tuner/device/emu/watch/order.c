#include "order.h"

#include <string.h>

enum { MAX_CLOCK = (1 << 20) - 1 };

void hone_emu_order_begin(struct hone_emu_order *order)
{
    *order = (struct hone_emu_order){0};
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        order->warps[w].clocks[w] = order->lanes[w].met = 1;
}

void hone_emu_order_join(struct hone_emu_vector *into, const struct hone_emu_vector *from)
{
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

static void tick(struct hone_emu_order *order, uint32_t warp)
{
    uint32_t *clock = &order->warps[warp].clocks[warp];
    if (*clock < MAX_CLOCK) (*clock)++;
}

// All lanes of the warp are at one point: what each did comes before what each will do.
static void meet(struct hone_emu_order *order, uint32_t warp)
{
    tick(order, warp);
    order->lanes[warp].met = order->warps[warp].clocks[warp];
}

void hone_emu_order_arrive(struct hone_emu_order *order, uint32_t warp, uint32_t barrier,
                           bool waits)
{
    hone_emu_order_join(&order->gates[barrier], &order->warps[warp]);
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
    hone_emu_order_join(&order->fenced, own);
    hone_emu_order_join(own, &order->fenced);
    tick(order, warp);
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

void hone_emu_order_release(struct hone_emu_order *order, uint32_t warp,
                            struct hone_emu_vector *gate)
{
    hone_emu_order_join(gate, &order->warps[warp]);
    tick(order, warp);
    order->partial = true;
}

void hone_emu_order_acquire(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                            const struct hone_emu_vector *gate)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t told = gate->clocks[warp]; // by lanes of its own warp
    hone_emu_order_join(&order->warps[warp], gate);
    if (told == 0) return;
    advance(&lanes->known[lane], told + 1);
    advance(&lanes->known[HONE_EMU_SEVERAL], told + 1);
}

void hone_emu_order_proxy_fence(struct hone_emu_order *order, uint32_t warp)
{
    struct hone_emu_vector *own = &order->warps[warp];
    memcpy(own->fenced, own->clocks, sizeof own->fenced);
    own->published[warp] = own->clocks[warp];
    tick(order, warp);
}

void hone_emu_order_exit(struct hone_emu_order *order, uint32_t warp)
{
    hone_emu_order_join(&order->exited, &order->warps[warp]);
    tick(order, warp);
}
