/* What lanes of a warp have exchanged: a load comes before what a lane does behind a
 * shuffle, vote, redux or match that both lanes took part in, where the value that was
 * loaded went into that one, since the lanes give it what they have loaded by then. So a
 * store may follow a load; what others stored before is not known by it. */
#ifndef HONE_DEVICE_EXCHANGE_H
#define HONE_DEVICE_EXCHANGE_H

#include "order.h"
#include "reach.h"

struct hone_emu_judge;

/* The last ones of a warp, in order: who took part. */
enum { HONE_EMU_EXCHANGES = 64 };
struct hone_emu_exchange {
    uint32_t site, lanes;
};
struct hone_emu_warp_exchanges {
    uint32_t count; /* so far */
    struct hone_emu_exchange last[HONE_EMU_EXCHANGES];
};

/* When a warp made a load last: its clock, and so many exchanges were over; the lanes
 * that made it since all of them met, in whichever turn. */
struct hone_emu_loaded {
    uint32_t clock, exchanges, lanes;
};

/* What is kept of the warps of a block. */
struct hone_emu_exchanges {
    struct hone_emu_reach *reach;
    struct hone_emu_judge *judge;
    uint32_t warps;
    struct hone_emu_loaded *loaded; /* [warp][load] */
    struct hone_emu_warp_exchanges of[HONE_EMU_MAX_WARPS];
};

/* Both are borrowed. NULL when memory is out. */
struct hone_emu_exchanges *hone_emu_exchanges_new(struct hone_emu_reach *reach,
                                                  struct hone_emu_judge *judge,
                                                  uint32_t warps);
void hone_emu_exchanges_free(struct hone_emu_exchanges *exchanges);
/* A new block: nothing has happened. */
void hone_emu_exchanges_begin(struct hone_emu_exchanges *exchanges);

/* Lanes of the warp load, by the instruction of that number. */
static inline void hone_emu_exchanges_load(struct hone_emu_exchanges *exchanges,
                                           const struct hone_emu_order *order,
                                           uint32_t warp, uint32_t site, uint32_t lanes)
{
    const struct hone_emu_reach *reach = exchanges->reach;
    struct hone_emu_loaded *loaded =
        &exchanges->loaded[warp * reach->loads + reach->numbers[site] - 1];
    if (loaded->clock < order->lanes[warp].met) loaded->lanes = 0;
    loaded->clock = order->warps[warp].clocks[warp];
    loaded->exchanges = exchanges->of[warp].count;
    loaded->lanes |= lanes;
}
/* They exchange something, all of those that take part. */
static inline void hone_emu_exchanges_note(struct hone_emu_exchanges *exchanges,
                                           uint32_t warp, uint32_t site, uint32_t lanes)
{
    struct hone_emu_warp_exchanges *of = &exchanges->of[warp];
    of->last[of->count++ % HONE_EMU_EXCHANGES] = (struct hone_emu_exchange){site, lanes};
}

/* Does the load, by a warp of the block at load_site, come before what the lane of that
 * warp stores now at store_site? exchanges may be NULL: it does not. */
bool hone_emu_exchanges_order(struct hone_emu_exchanges *exchanges, hone_emu_stamp load,
                              uint32_t load_site, uint32_t warp, uint32_t lane,
                              uint32_t store_site);

#endif
