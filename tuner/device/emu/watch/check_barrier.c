// Barriers of a block: what they order, and arrivals that may be counted for another
// opening than the one that is meant. A barrier counts whoever comes: only who comes
// behind all arrivals of its last opening is sure to be counted for the next.
#include "check_state.h"

// A warp that arrived for the last opening of the barrier, of which this one does not
// know that; -1: it knows of all. What has the floor's clock is known to everybody.
static int find_unknown(const struct hone_emu_checker *checker, uint32_t warp,
                        const struct hone_emu_comers *last)
{
    const struct hone_emu_order *order = &checker->order;
    const struct hone_emu_vector *known = &order->warps[warp];
    const struct hone_emu_seen_at *seen = &checker->barriers.seen[warp];
    for (uint32_t m = last->warps & ~(UINT32_C(1) << warp); m; m &= m - 1) {
        const int w = __builtin_ctz(m);
        const uint32_t clock = last->clocks[w];
        if (clock > order->floor && known->clocks[w] < clock && seen->clocks[w] < clock)
            return w;
    }
    return -1;
}

// A warp tells of itself what is over: it may still arrive at the clock that it has now.
void hone_emu_check_barrier_tell(struct hone_emu_barriers *barriers,
                                 const struct hone_emu_order *order, uint32_t warp)
{
    const uint32_t *known = order->warps[warp].clocks;
    const uint32_t *seen = barriers->seen[warp].clocks;
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++) {
        hone_emu_advance(&barriers->told.clocks[w], known[w] - (w == warp));
        hone_emu_advance(&barriers->told.clocks[w], seen[w]);
    }
}

void hone_emu_check_barrier_see(struct hone_emu_barriers *barriers, uint32_t warp)
{
    barriers->seen[warp] = barriers->told;
}

static void report_unordered(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp, uint32_t id, int other)
{
    char place[HONE_EMU_PLACE_TEXT];
    hone_emu_print_place(place, checker->code,
                         checker->barriers.each[id].last.sites[other]);
    const struct hone_fault fault = hone_emu_describe(
        warp, checker->barriers.at, __builtin_ctz(warp->mask), HONE_WRONG_RESULT,
        HONE_FINDING_BARRIER,
        "nothing orders this arrival at barrier %u behind the one of warp %d (%s) that "
        "its last opening counted: it may be counted there in its place",
        id, other, place);
    hone_emu_report(warp, &fault);
}

static void arrive(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                   uint32_t id, bool waits)
{
    struct hone_emu_order *order = &checker->order;
    struct hone_emu_comers *now = &checker->barriers.each[id].now;
    const uint32_t w = warp->index;
    const int unknown = find_unknown(checker, w, &checker->barriers.each[id].last);
    if (unknown >= 0) report_unordered(checker, warp, id, unknown);
    now->warps |= UINT32_C(1) << w;
    now->clocks[w] = order->warps[w].clocks[w];
    now->sites[w] = (uint32_t)(checker->barriers.at - checker->code->insns);
    if (waits) checker->waits[w]++;
    hone_emu_order_arrive(order, w, id, waits);
}

void hone_emu_check_barrier(void *context, const struct hone_emu_warp *warp, uint32_t id,
                            bool flag)
{
    struct hone_emu_checker *checker = context;
    if (warp) {
        arrive(checker, warp, id, flag);
        return;
    }
    hone_emu_order_open(&checker->order, id, flag);
    checker->barriers.each[id].last = checker->barriers.each[id].now;
    checker->barriers.each[id].now.warps = 0;
}
