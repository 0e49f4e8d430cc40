// Order by fences and signals, as PTX's memory model has it: what comes before a fence of
// a thread that then makes a strong store, to another one that makes a strong load after
// that and then a fence. So a signal tells what its own thread has fenced, or knows to be
// fenced from a barrier or an object since, and nothing of other threads' fences.
#include "order.h"

#include <string.h>

// ---- what is behind fences ----

void hone_emu_news_join(struct hone_emu_news *into, const struct hone_emu_news *from)
{
    for (uint32_t r = 0; r < HONE_EMU_REACHES; r++)
        hone_emu_advance(&into->seen[r], from->seen[r]);
    hone_emu_advance(&into->seen_near, from->seen_near);
    hone_emu_advance(&into->seen_by_near, from->seen_by_near);
    if (!from->any) return;
    for (uint32_t r = 0; r < HONE_EMU_REACHES; r++)
        hone_emu_clocks_join(&into->fenced[r], &from->fenced[r]);
    into->any = true;
}

// What a warp's lanes have fenced of their own warp.
struct fenced {
    uint32_t clock, lanes, whole;
};

static struct fenced fenced_by(const struct hone_emu_lane_fences *fences, uint32_t mask)
{
    struct fenced by = {0, 0, 0};
    uint32_t least = UINT32_MAX;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        hone_emu_advance(&by.clock, fences->clocks[lane]);
        hone_emu_advance(&by.whole, fences->whole[lane]);
        const uint32_t own =
            fences->lanes[lane] >> lane & 1 ? fences->clocks[lane] : fences->whole[lane];
        if (own < least) least = own;
    }
    if (mask == UINT32_MAX) hone_emu_advance(&by.whole, least); // of each what it did
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (fences->clocks[lane] > by.whole) by.lanes |= fences->lanes[lane];
    }
    return by;
}

const struct hone_emu_news *hone_emu_news_told(struct hone_emu_order *order,
                                               uint32_t warp, uint32_t mask)
{
    struct hone_emu_news *news = &order->news[warp];
    for (uint32_t r = 0; order->fences && r < HONE_EMU_REACHES; r++) {
        const struct fenced by = fenced_by(&order->lanes[warp].fences[r], mask);
        news->fenced[r].clocks[warp] = by.clock;
        news->fenced[r].lanes[warp] = by.lanes;
        news->fenced[r].whole[warp] = by.whole;
    }
    return news;
}

void hone_emu_news_heard(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                         const struct hone_emu_news *from)
{
    hone_emu_news_join(&order->news[warp], from);
    for (uint32_t r = 0; from->any && r < HONE_EMU_REACHES; r++) {
        struct hone_emu_lane_fences *fences = &order->lanes[warp].fences[r];
        fences->tell = fences->untold = UINT32_MAX;
        for (uint32_t m = mask; m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m);
            hone_emu_advance(&fences->clocks[lane], from->fenced[r].clocks[warp]);
            hone_emu_advance(&fences->whole[lane], from->fenced[r].whole[warp]);
            fences->lanes[lane] |= from->fenced[r].lanes[warp];
        }
    }
}

void hone_emu_news_share(struct hone_emu_order *order, uint32_t warp, uint32_t mask)
{
    for (uint32_t r = 0; r < HONE_EMU_REACHES; r++) {
        struct hone_emu_lane_fences *fences = &order->lanes[warp].fences[r];
        const struct fenced by = fenced_by(fences, mask);
        if (fences->tell) fences->untold = fences->tell |= mask;
        for (uint32_t m = mask; m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m);
            fences->clocks[lane] = by.clock;
            fences->lanes[lane] = by.lanes;
            fences->whole[lane] = by.whole;
        }
    }
}

// ---- fences ----

static const struct hone_emu_clocks *told_by(const struct hone_emu_signals *signals,
                                             uint32_t count)
{
    const uint32_t last = signals->count;
    if (last > HONE_EMU_SIGNALS && count <= last - HONE_EMU_SIGNALS)
        count = last - HONE_EMU_SIGNALS + 1; // the oldest that is kept
    return &signals->told[(count - 1) % HONE_EMU_SIGNALS];
}

// Strong loads have seen signals of the block: what those told is known from here on.
static void join_seen_signals(struct hone_emu_order *order, uint32_t warp, uint32_t mask)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const uint32_t seen = order->news[warp].seen[HONE_EMU_OWN_BLOCK];
    for (uint32_t k = 0; k < HONE_EMU_MAX_WARPS; k++)
        hone_emu_advance(&order->warps[warp].signals[k], order->signals.all.signals[k]);
    if (seen == 0) return;
    const struct hone_emu_clocks *told = told_by(&order->signals, seen);
    for (uint32_t m = mask; m; m &= m - 1)
        hone_emu_order_join_lane(order, warp, (uint32_t)__builtin_ctz(m), told);
    if (seen <= lanes->learned) return;
    lanes->learned = seen;
    hone_emu_clocks_join(&order->warps[warp].known, told);
    hone_emu_order_join_rest(&order->warps[warp], &order->signals.all);
}

// What the lane knows of its own warp is behind its fence.
static void note_fence(struct hone_emu_order *order, uint32_t warp, uint32_t lane,
                       uint32_t reach)
{
    const struct hone_emu_lanes *lanes = &order->lanes[warp];
    struct hone_emu_lane_fences *fences = &order->lanes[warp].fences[reach];
    const uint32_t bit = UINT32_C(1) << lane;
    const uint32_t known = hone_emu_lane_knows(order, warp, lane);
    fences->clocks[lane] = order->warps[warp].clocks[warp];
    fences->lanes[lane] = bit | (lanes->heard[lane] >= known ? lanes->heard_of[lane] : 0);
    fences->whole[lane] = known ? known - 1 : 0;
    fences->tell |= bit;
    fences->untold |= bit;
}

// The warp knows the signals of other blocks that its strong loads have seen.
static void hear(struct hone_emu_order *order, uint32_t warp, uint32_t reach)
{
    const struct hone_emu_news *news = &order->news[warp];
    uint32_t *clocks = order->warps[warp].clocks;
    hone_emu_advance(&clocks[HONE_EMU_CLUSTER], news->seen_near);
    hone_emu_advance(&clocks[HONE_EMU_NEAR], news->seen[HONE_EMU_OWN_CLUSTER]);
    hone_emu_advance(&clocks[HONE_EMU_WORLD], news->seen_by_near);
    if (reach == HONE_EMU_ALL_BLOCKS)
        hone_emu_advance(&clocks[HONE_EMU_WORLD], news->seen[HONE_EMU_ALL_BLOCKS]);
}

void hone_emu_order_learn(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                          uint32_t reach)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    join_seen_signals(order, warp, mask);
    if (reach >= HONE_EMU_OWN_CLUSTER) hear(order, warp, reach);
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        hone_emu_advance(&lanes->known[lane], lanes->seen[lane]);
        hone_emu_advance(&lanes->known[HONE_EMU_SEVERAL], lanes->seen[lane]);
    }
}

void hone_emu_order_return(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                           const struct hone_emu_vector *told)
{
    hone_emu_order_join(&order->warps[warp], told);
    for (uint32_t m = mask; m; m &= m - 1)
        hone_emu_order_join_lane(order, warp, (uint32_t)__builtin_ctz(m), &told->known);
    order->partial = true;
}

void hone_emu_order_fence(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                          uint32_t reach)
{
    struct hone_emu_vector *own = &order->warps[warp];
    struct hone_emu_news *news = &order->news[warp];
    order->fences = order->partial = news->any = true;
    for (uint32_t r = 0; r <= reach; r++) {
        hone_emu_clocks_join(&news->fenced[r], &own->known);
        for (uint32_t m = mask; m; m &= m - 1)
            note_fence(order, warp, (uint32_t)__builtin_ctz(m), r);
    }
    hone_emu_order_tick(order, warp);
}

// ---- signals ----

// The lanes' last signals have told less than this one.
static bool is_news(struct hone_emu_order *order, uint32_t warp, uint32_t mask,
                    uint32_t reach)
{
    struct hone_emu_lane_fences *fences = &order->lanes[warp].fences[reach];
    const bool news = fences->untold & mask;
    fences->untold &= ~mask;
    return news;
}

static void signal_block(struct hone_emu_order *order, uint32_t warp, uint32_t mask)
{
    struct hone_emu_signals *signals = &order->signals;
    const struct hone_emu_clocks *last =
        signals->count ? told_by(signals, signals->count) : NULL;
    struct hone_emu_clocks *told = &signals->told[signals->count++ % HONE_EMU_SIGNALS];
    if (last) *told = *last;
    hone_emu_order_join_rest(&signals->all, hone_emu_order_told(order, warp, mask));
    hone_emu_clocks_join(
        told, &hone_emu_news_told(order, warp, mask)->fenced[HONE_EMU_OWN_BLOCK]);
}

void hone_emu_order_strong_load(struct hone_emu_order *order, uint32_t warp,
                                uint32_t mask)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    hone_emu_advance(&order->news[warp].seen[HONE_EMU_OWN_BLOCK], order->signals.count);
    for (uint32_t m = mask; m; m &= m - 1)
        lanes->seen[__builtin_ctz(m)] = lanes->signalled;
}

void hone_emu_order_strong_store(struct hone_emu_order *order, uint32_t warp,
                                 uint32_t mask)
{
    struct hone_emu_lanes *lanes = &order->lanes[warp];
    const struct hone_emu_lane_fences *fences = &lanes->fences[HONE_EMU_OWN_BLOCK];
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t fenced = fences->clocks[__builtin_ctz(m)];
        if (fenced) hone_emu_advance(&lanes->signalled, fenced + 1);
    }
    if (!(fences->tell & mask)) return;
    hone_emu_advance(&order->signals.all.signals[warp], order->warps[warp].clocks[warp]);
    if (is_news(order, warp, mask, HONE_EMU_OWN_BLOCK)) signal_block(order, warp, mask);
}

static void advance_signals(uint32_t clocks[HONE_EMU_CLOCKS],
                            const struct hone_emu_heard *heard)
{
    hone_emu_advance(&clocks[HONE_EMU_WORLD], heard->world);
    hone_emu_advance(&clocks[HONE_EMU_WORLD], heard->by_near);
    hone_emu_advance(&clocks[HONE_EMU_CLUSTER], heard->cluster);
    hone_emu_advance(&clocks[HONE_EMU_NEAR], heard->near);
}

void hone_emu_order_note_seen(struct hone_emu_order *order, uint32_t warp,
                              const struct hone_emu_heard *heard, int fenced)
{
    struct hone_emu_news *news = &order->news[warp];
    hone_emu_advance(&news->seen[HONE_EMU_ALL_BLOCKS], heard->world);
    hone_emu_advance(&news->seen[HONE_EMU_OWN_CLUSTER], heard->near);
    hone_emu_advance(&news->seen_near, heard->cluster);
    hone_emu_advance(&news->seen_by_near, heard->by_near);
    if (fenced < 0) return;
    advance_signals(order->warps[warp].clocks, heard);
    for (int r = 0; r <= fenced; r++)
        advance_signals(news->fenced[r].clocks, heard);
}

void hone_emu_order_join_cluster(struct hone_emu_order *order, uint32_t warp,
                                 const struct hone_emu_heard *heard)
{
    struct hone_emu_news *news = &order->news[warp];
    advance_signals(order->warps[warp].clocks, heard);
    hone_emu_advance(&news->seen[HONE_EMU_ALL_BLOCKS], heard->seen);
    if (heard->fenced) { // a signal of any lane passes that on
        struct hone_emu_lane_fences *fences = order->lanes[warp].fences;
        order->fences = news->any = true;
        for (uint32_t r = HONE_EMU_OWN_CLUSTER; r < HONE_EMU_REACHES; r++)
            fences[r].tell = fences[r].untold = UINT32_MAX;
    }
    hone_emu_order_tick(order, warp);
}

bool hone_emu_order_tells(const struct hone_emu_order *order, uint32_t warp,
                          uint32_t mask, uint32_t reach)
{
    return (order->lanes[warp].fences[reach].tell & mask) != 0;
}

const struct hone_emu_vector *hone_emu_order_signal(struct hone_emu_order *order,
                                                    uint32_t warp, uint32_t mask,
                                                    uint32_t reach,
                                                    struct hone_emu_clocks *out)
{
    if (!is_news(order, warp, mask, reach)) return NULL;
    *out = hone_emu_news_told(order, warp, mask)->fenced[reach];
    return hone_emu_order_told(order, warp, mask);
}
