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
static inline uint32_t lanes_beyond(const struct hone_emu_clocks *clocks, uint32_t k,
                                    uint32_t whole)
{
    return clocks->clocks[k] > whole ? clocks->lanes[k] : 0;
}

void hone_emu_clocks_join(struct hone_emu_clocks *into,
                          const struct hone_emu_clocks *from)
{
    for (uint32_t k = 0; k < HONE_EMU_MAX_WARPS; k++) {
        const uint32_t whole =
            from->whole[k] > into->whole[k] ? from->whole[k] : into->whole[k];
        into->lanes[k] = lanes_beyond(into, k, whole) | lanes_beyond(from, k, whole);
        into->whole[k] = whole;
    }
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->clocks[k] > into->clocks[k]) into->clocks[k] = from->clocks[k];
}

void hone_emu_order_join_rest(struct hone_emu_vector *into,
                              const struct hone_emu_vector *from)
{
    for (uint32_t k = 0; k < HONE_EMU_MAX_WARPS; k++)
        if (from->loads[k] > into->loads[k]) into->loads[k] = from->loads[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->fenced[k] > into->fenced[k]) into->fenced[k] = from->fenced[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->published[k] > into->published[k])
            into->published[k] = from->published[k];
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->signals[k] > into->signals[k]) into->signals[k] = from->signals[k];
}

void hone_emu_order_join(struct hone_emu_vector *into, const struct hone_emu_vector *from)
{
    hone_emu_clocks_join(&into->known, &from->known);
    hone_emu_order_join_rest(into, from);
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
    if (order->fences) hone_emu_news_share(order, warp, UINT32_MAX);
}

static void advance(uint32_t *clock, uint32_t to)
{
    hone_emu_advance(clock, to);
}

uint32_t hone_emu_heard_of(const struct hone_emu_lanes *lanes, uint32_t mask,
                           uint32_t clock)
{
    uint32_t of = 0;
    for (uint32_t m = mask; m && mask != UINT32_MAX; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (lanes->heard[lane] >= clock) of |= lanes->heard_of[lane];
    }
    return of;
}

// The lane, or SEVERAL, hears of others up to a clock. What it heard before it knew more
// of all lanes says nothing new; of whom it has heard of all it knows.
static void note_known(struct hone_emu_lanes *lanes, uint32_t lane, uint32_t of,
                       uint32_t clock)
{
    if (lanes->heard[lane] < lanes->met || lanes->heard[lane] < lanes->known[lane])
        lanes->heard_of[lane] = 0;
    advance(&lanes->heard[lane], clock);
    lanes->heard_of[lane] |= of;
    if (lane == HONE_EMU_SEVERAL || lanes->heard_of[lane] != UINT32_MAX) return;
    advance(&lanes->known[lane], lanes->heard[lane] + 1);
    advance(&lanes->known[HONE_EMU_SEVERAL], lanes->heard[lane] + 1);
}

const struct hone_emu_vector *hone_emu_order_told(struct hone_emu_order *order,
                                                  uint32_t warp, uint32_t mask)
{
    struct hone_emu_vector *own = &order->warps[warp];
    const struct hone_emu_lanes *lanes = &order->lanes[warp];
    uint32_t known = lanes->met;
    for (uint32_t m = mask; m && mask != UINT32_MAX; m &= m - 1)
        advance(&known, lanes->known[__builtin_ctz(m)]);
    own->whole[warp] = mask == UINT32_MAX ? own->clocks[warp] : known - 1;
    own->lanes[warp] = mask | hone_emu_heard_of(lanes, mask, known);
    own->loads[warp] = lanes->aligned;
    return own;
}

// They tell gate what they know and what of that is behind a fence.
static void tell_gate(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                      struct hone_emu_gate *gate)
{
    hone_emu_order_join(&gate->known, hone_emu_order_told(order, warp, mask));
    hone_emu_news_join(&gate->news, hone_emu_news_told(order, warp, mask));
}

void hone_emu_order_arrive(struct hone_emu_order *order, uint32_t warp, uint32_t barrier,
                           bool waits)
{
    tell_gate(order, warp, UINT32_MAX, &order->gates[barrier]);
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
    struct hone_emu_gate *gate = &order->gates[barrier];
    if (whole) { // to exit is to arrive there
        hone_emu_order_join(&gate->known, &order->exited.known);
        hone_emu_news_join(&gate->news, &order->exited.news);
    }
    for (uint32_t m = order->waiting[barrier]; m; m &= m - 1) {
        const uint32_t warp = (uint32_t)__builtin_ctz(m);
        hone_emu_order_join(&order->warps[warp], &gate->known);
        hone_emu_news_heard(order, warp, UINT32_MAX, &gate->news);
    }
    if (whole && !order->passing[barrier]) raise_floor(order, order->waiting[barrier]);
    if (!whole || order->passing[barrier]) order->partial = true;
    memset(gate, 0, sizeof *gate);
    order->waiting[barrier] = order->passing[barrier] = 0;
}

// Lanes of mask get the best that one of them has. A flag that one has seen counts for
// all of them, which PTX does not say.
static void share(struct hone_emu_lanes *lanes, uint32_t mask)
{
    uint32_t known = 0, seen = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        advance(&known, lanes->known[lane]);
        advance(&seen, lanes->seen[lane]);
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        lanes->known[lane] = known;
        lanes->seen[lane] = seen;
    }
}

void hone_emu_order_sync_warp(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                              uint32_t alive)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    if ((alive & ~mask) == 0) {
        meet(order, warp);
        return;
    }
    const uint32_t clock = order->warps[warp].clocks[warp];
    share(lanes, mask);
    if (order->fences) hone_emu_news_share(order, warp, mask);
    const uint32_t known = lanes->known[__builtin_ctz(mask)];
    const uint32_t of =
        mask | hone_emu_heard_of(lanes, mask, known > lanes->met ? known : lanes->met);
    for (uint32_t m = mask; m; m &= m - 1)
        note_known(lanes, (uint32_t)__builtin_ctz(m), of, clock);
    note_known(lanes, HONE_EMU_SEVERAL, of, clock);
    hone_emu_order_tick(order, warp);
}

void hone_emu_order_align(struct hone_emu_order *order, uint32_t warp)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    if (!lanes->loads) return;
    lanes->loads = false;
    lanes->aligned = order->warps[warp].clocks[warp];
    hone_emu_order_tick(order, warp);
}

void hone_emu_order_release(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                            struct hone_emu_gate *gate)
{
    tell_gate(order, warp, mask, gate);
    hone_emu_order_tick(order, warp);
    order->partial = true;
}

void hone_emu_order_release_fenced(struct hone_emu_order *order, uint32_t warp,
                                   uint32_t mask, struct hone_emu_gate *gate)
{
    const struct hone_emu_vector *own = hone_emu_order_told(order, warp, mask);
    const struct hone_emu_news *news = hone_emu_news_told(order, warp, mask);
    hone_emu_clocks_join(&gate->known.known, &news->fenced[HONE_EMU_OWN_BLOCK]);
    hone_emu_order_join_rest(&gate->known, own);
    hone_emu_news_join(&gate->news, news);
}

void hone_emu_order_join_lane(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                              const struct hone_emu_clocks *of)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t told = of->clocks[warp];
    const uint32_t whole = of->lanes[warp] == UINT32_MAX ? told : of->whole[warp];
    if (told == 0) return;
    advance(&lanes->known[lane], whole + 1);
    advance(&lanes->known[HONE_EMU_SEVERAL], whole + 1);
    if (told <= whole) return;
    note_known(lanes, lane, of->lanes[warp], told);
    note_known(lanes, HONE_EMU_SEVERAL, of->lanes[warp], told);
}

void hone_emu_order_acquire(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                            const struct hone_emu_gate *gate)
{
    hone_emu_order_join(&order->warps[warp], &gate->known);
    hone_emu_order_join_lane(order, warp, lane, &gate->known.known);
    hone_emu_news_heard(order, warp, UINT32_C(1) << lane, &gate->news);
}

void hone_emu_order_proxy_fence(struct hone_emu_order *order, uint32_t warp,
                                uint32_t since)
{
    struct hone_emu_vector *own = &order->warps[warp];
    const uint32_t fenced = own->fenced[warp];
    memcpy(own->fenced, own->clocks, sizeof own->fenced);
    if (since) own->fenced[warp] = fenced > since - 1 ? fenced : since - 1;
    own->published[warp] = own->clocks[warp];
    hone_emu_order_tick(order, warp);
}

void hone_emu_order_exit(struct hone_emu_order *order, uint32_t warp)
{
    tell_gate(order, warp, UINT32_MAX, &order->exited);
    hone_emu_order_tick(order, warp);
}
