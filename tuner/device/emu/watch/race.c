// The last accesses to each cell of shared memory. Most are to cells that nobody has
// touched in another way since the last barrier of the block: those are noted many at a
// time, the others one by one.
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"

bool hone_emu_races_init(struct hone_emu_races *races, uint64_t shared_bytes,
                         uint32_t granule)
{
    size_t count = (size_t)(shared_bytes / granule + 1);
    *races = (struct hone_emu_races){.granule = granule, .cell_count = count};
    races->write = calloc(count, 11 * sizeof *races->write);
    if (!races->write) return false;
    races->read = races->write + count;
    races->plain = races->read + count;
    races->seen = races->plain + count;
    races->late = races->seen + count;
    races->write_site = races->late + count;
    races->read_site = races->write_site + count;
    races->early_site = races->read_site + count;
    races->plain_site = races->early_site + count;
    races->late_site = races->plain_site + count;
    races->readers = races->late_site + count;
    return true;
}

void hone_emu_races_fini(struct hone_emu_races *races)
{
    free(races->write);
    races->write = NULL;
}

void hone_emu_races_begin(struct hone_emu_races *races)
{
    const size_t stamps = 5 * races->cell_count; // of read, plain, seen and late too
    memset(races->write, 0, stamps * sizeof *races->write);
}

// ---- cells that follow one another ----

// The stamp of cell k of those that lanes touch: each lane 1 << shift of them.
static inline hone_emu_stamp stamp_of(hone_emu_stamp first, size_t k, uint32_t shift)
{
    return first + ((uint32_t)(k >> shift) << 1);
}

static bool are_settled(const hone_emu_stamp *stamps, size_t count, uint32_t floor)
{
    hone_emu_stamp latest = 0;
    for (size_t k = 0; k < count; k++)
        if (stamps[k] > latest) latest = stamps[k];
    return hone_emu_stamp_clock(latest) <= floor;
}

struct cells {
    size_t first, count;
    hone_emu_stamp stamp; // of the first one
    uint32_t shift;       // 31: all have one stamp
};

static struct cells cells_of(const struct hone_emu_races *races,
                             const struct hone_emu_order *order,
                             const struct hone_emu_touch *touch,
                             const struct hone_emu_stretch *stretch)
{
    uint32_t each = stretch->bytes_each / races->granule;
    uint32_t lane = each ? stretch->lane : HONE_EMU_SEVERAL;
    return (struct cells){
        .first = (size_t)(stretch->address / races->granule),
        .count = stretch->bytes / races->granule,
        .stamp = hone_emu_stamp_make(order, touch->warp, lane, touch->strong),
        .shift = each ? (uint32_t)__builtin_ctz(each) : 31};
}

// Have signals of the block told of the load?
static bool has_told(const struct hone_emu_order *order, hone_emu_stamp load)
{
    const struct hone_emu_signals *signals = &order->signals;
    return signals->count > 0 &&
           hone_emu_clocks_have(&signals->told[(signals->count - 1) % HONE_EMU_SIGNALS],
                                load);
}

static bool is_known(const struct hone_emu_order *order, hone_emu_stamp load,
                     uint32_t warp)
{
    return hone_emu_stamp_clock(load) <= order->floor ||
           hone_emu_stamp_warp(load) == warp ||
           hone_emu_vector_has_load(&order->warps[warp], load);
}

// Loads of another warp are about to be replaced that this one does not know of: they
// stay known, unless another late one does.
static void keep_late(struct hone_emu_races *races, const struct hone_emu_order *order,
                      uint32_t warp, const struct cells *cells)
{
    for (size_t k = cells->first; k < cells->first + cells->count; k++) {
        const hone_emu_stamp load = races->read[k], late = races->late[k];
        if (load == 0 || is_known(order, load, warp)) continue;
        if (late && !is_known(order, late, warp) && !has_told(order, late)) continue;
        races->late[k] = load;
        races->late_site[k] = races->read_site[k];
    }
}

static void note_loads(struct hone_emu_races *races, const struct hone_emu_order *order,
                       const struct hone_emu_touch *touch, const struct cells *cells)
{
    hone_emu_stamp *read = races->read + cells->first;
    uint32_t *readers = races->readers + cells->first;
    uint32_t *sites = races->read_site + cells->first;
    uint32_t *early = races->early_site + cells->first;
    const uint32_t bit = UINT32_C(1) << touch->warp, floor = order->floor;
    if (order->partial) keep_late(races, order, touch->warp, cells);
    const struct hone_emu_lanes *lanes = &order->lanes[touch->warp];
    const uint32_t known = lanes->known[HONE_EMU_SEVERAL],
                   met = lanes->met > known ? lanes->met : known,
                   since = met > lanes->aligned ? met : lanes->aligned + 1;
    for (size_t k = 0; k < cells->count; k++) {
        hone_emu_stamp before = read[k], now = stamp_of(cells->stamp, k, cells->shift);
        hone_emu_stamp unlike = before ^ now;
        bool other_site = sites[k] != touch->site;
        bool other_lanes =
            unlike & HONE_EMU_LANE_BITS ||
            (other_site && hone_emu_stamp_lane(before) >= HONE_EMU_SEVERAL);
        bool beside = (unlike & HONE_EMU_KIND_BITS) == 0 && // lanes of one warp
                      other_lanes && hone_emu_stamp_clock(before) >= since;
        bool mixed = other_site || hone_emu_stamp_lane(before) == HONE_EMU_MIXED;
        uint32_t lane = mixed ? HONE_EMU_MIXED : HONE_EMU_SEVERAL;
        hone_emu_stamp several = (now & ~(hone_emu_stamp)HONE_EMU_LANE_BITS) | lane << 1;
        // one lane behind several may be the one that stores next: theirs is named then
        bool follows = beside && hone_emu_stamp_lane(before) >= HONE_EMU_SEVERAL;
        if (hone_emu_stamp_warp(before) != touch->warp) early[k] = sites[k];
        readers[k] = (hone_emu_stamp_clock(before) > floor ? readers[k] : 0) | bit;
        read[k] = beside ? several : now;
        sites[k] = follows ? sites[k] : touch->site;
    }
}

// A strong store is about to replace what cells hold: a plain one stays known beside it,
// and nobody has seen the new one.
static void keep_plain(struct hone_emu_races *races, const struct cells *cells)
{
    for (size_t k = cells->first; k < cells->first + cells->count; k++) {
        races->seen[k] = 0;
        if (races->write[k] == 0 || hone_emu_stamp_strong(races->write[k])) continue;
        races->plain[k] = races->write[k];
        races->plain_site[k] = races->write_site[k];
    }
}

static void note_stores(struct hone_emu_races *races, const struct hone_emu_touch *touch,
                        const struct cells *cells)
{
    hone_emu_stamp *write = races->write + cells->first;
    uint32_t *sites = races->write_site + cells->first;
    if (touch->strong) keep_plain(races, cells);
    for (size_t k = 0; k < cells->count; k++) {
        write[k] = stamp_of(cells->stamp, k, cells->shift);
        sites[k] = touch->site;
    }
}

bool hone_emu_races_load(struct hone_emu_races *races, const struct hone_emu_order *order,
                         const struct hone_emu_touch *touch,
                         const struct hone_emu_stretch *stretch)
{
    const struct cells cells = cells_of(races, order, touch, stretch);
    if (!are_settled(races->write + cells.first, cells.count, order->floor)) return false;
    note_loads(races, order, touch, &cells);
    return true;
}

static bool store_settled(struct hone_emu_races *races,
                          const struct hone_emu_order *order,
                          const struct hone_emu_touch *touch,
                          const struct hone_emu_stretch *stretch)
{
    const struct cells cells = cells_of(races, order, touch, stretch);
    if (!are_settled(races->write + cells.first, cells.count, order->floor) ||
        !are_settled(races->read + cells.first, cells.count, order->floor))
        return false;
    note_stores(races, touch, &cells);
    return true;
}

// ---- a lane's cells one by one ----

struct toucher {
    struct hone_emu_races *races;
    const struct hone_emu_order *order;
    const struct hone_emu_touch *touch;
};

static bool clashes(const struct toucher *by, hone_emu_stamp before, uint32_t lane)
{
    return before && !(by->touch->strong && hone_emu_stamp_strong(before)) &&
           !hone_emu_ordered(by->order, before, by->touch->warp, lane);
}

// What a strong load has seen comes before all that comes after the load (PTX ISA,
// "Causality order"), so a store needs to come after the last such load alone: it races
// with an earlier one that it does not follow. A load may follow an earlier one.
static bool has_seen(const struct toucher *by, size_t cell, uint32_t lane)
{
    const hone_emu_stamp write = by->races->write[cell], seen = by->races->seen[cell];
    const uint32_t warp = by->touch->warp;
    if (!seen || !hone_emu_stamp_strong(write)) return false;
    if (hone_emu_ordered(by->order, seen, warp, lane)) return true;
    return !by->touch->writes && hone_emu_told_of(by->order, write, warp);
}

static bool clashes_with_store(const struct toucher *by, size_t cell, uint32_t lane)
{
    return clashes(by, by->races->write[cell], lane) && !has_seen(by, cell, lane);
}

static bool clashes_with_load(const struct toucher *by, hone_emu_stamp load,
                              uint32_t site, uint32_t lane)
{
    const struct hone_emu_touch *touch = by->touch;
    return clashes(by, load, lane) &&
           !hone_emu_ordered_load(by->order, load, touch->warp, lane) &&
           !hone_emu_exchanges_order(by->order->exchanges, load, site, touch->warp, lane,
                                     touch->site);
}

static void tell(struct hone_emu_conflict *out, hone_emu_stamp before, uint32_t site,
                 bool writes)
{
    *out = (struct hone_emu_conflict){.other_lane = (int)hone_emu_stamp_lane(before),
                                      .other_warp = hone_emu_stamp_warp(before),
                                      .other_clock = hone_emu_stamp_clock(before),
                                      .other_site = site,
                                      .other_writes = writes};
}

// Warps of which this one has heard since the floor: what they read before may be known.
static uint32_t heard_of(const struct hone_emu_order *order, uint32_t warp)
{
    uint32_t heard = 0;
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        if (order->warps[warp].clocks[w] > order->floor) heard |= UINT32_C(1) << w;
    return heard;
}

// Readers since the floor beside the last one that are unordered: all of them when
// barriers of the whole block are the only order there is, else those not heard of.
static uint32_t other_readers(const struct toucher *by, size_t cell)
{
    const uint32_t warp = by->touch->warp;
    if (by->touch->strong ||
        hone_emu_stamp_clock(by->races->read[cell]) <= by->order->floor)
        return 0;
    const uint32_t others = by->races->readers[cell] & ~(UINT32_C(1) << warp);
    if (!others || !by->order->partial) return others;
    return others & ~heard_of(by->order, warp);
}

static bool find_conflict(const struct toucher *by, size_t cell, uint32_t lane,
                          struct hone_emu_conflict *out)
{
    const struct hone_emu_races *races = by->races;
    if (clashes_with_store(by, cell, lane)) {
        tell(out, races->write[cell], races->write_site[cell], true);
        return true;
    }
    if (clashes(by, races->plain[cell], lane)) {
        tell(out, races->plain[cell], races->plain_site[cell], true);
        return true;
    }
    if (!by->touch->writes) return false;
    // asked whoever else has loaded: where the own warp has exchanged it, that is noted
    const hone_emu_stamp late = races->late[cell];
    const bool clash =
        clashes_with_load(by, races->read[cell], races->read_site[cell], lane);
    const uint32_t others = other_readers(by, cell);
    const bool late_clash = by->order->partial && !clash &&
                            clashes_with_load(by, late, races->late_site[cell], lane);
    if (!others && !clash && !late_clash) return false;
    const bool own = hone_emu_stamp_warp(races->read[cell]) == by->touch->warp;
    if (late_clash)
        tell(out, late, races->late_site[cell], false);
    else
        tell(out, races->read[cell],
             others && own ? races->early_site[cell] : races->read_site[cell], false);
    if (others && !late_clash && (own || !clash)) {
        out->other_warp = (uint32_t)__builtin_ctz(others);
        out->other_clock = 0;
    }
    return true;
}

static bool touch_lane(const struct toucher *by, uint32_t at_lane,
                       struct hone_emu_conflict *out)
{
    const struct hone_emu_touch *touch = by->touch;
    const uint32_t granule = by->races->granule;
    uint32_t lane = hone_emu_touch_lane(touch, at_lane);
    size_t first = (size_t)(touch->addresses[at_lane] / granule);
    size_t end = (size_t)((touch->addresses[at_lane] + touch->bytes - 1) / granule + 1);
    bool found = false;
    for (size_t cell = first; cell < end; cell++) {
        if (!found && find_conflict(by, cell, lane, out)) {
            found = true;
            out->address = cell * granule;
        }
        const struct cells one = {
            .first = cell,
            .count = 1,
            .stamp = hone_emu_stamp_make(by->order, touch->warp, lane, touch->strong)};
        if (touch->writes)
            note_stores(by->races, touch, &one);
        else
            note_loads(by->races, by->order, touch, &one);
        if (touch->strong && !touch->writes)
            by->races->seen[cell] = by->races->read[cell];
    }
    return found;
}

static bool touch_run(const struct toucher *by, uint32_t lane, uint32_t count)
{
    const struct hone_emu_touch *touch = by->touch;
    if (touch->bytes < by->races->granule) return false;
    const struct hone_emu_stretch stretch = {
        .address = touch->addresses[lane],
        .bytes = count * touch->bytes,
        .lane = lane,
        .bytes_each = touch->several >> lane & 1 ? 0 : touch->bytes};
    return touch->writes ? store_settled(by->races, by->order, touch, &stretch)
                         : hone_emu_races_load(by->races, by->order, touch, &stretch);
}

bool hone_emu_races_touch(struct hone_emu_races *races,
                          const struct hone_emu_order *order,
                          const struct hone_emu_touch *touch,
                          struct hone_emu_conflict *out)
{
    const struct toucher by = {races, order, touch};
    for (uint32_t m = touch->mask; m;) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), count = hone_emu_touch_run(touch, m);
        uint32_t end = lane + count;
        m &= ~hone_emu_lanes_of_run(lane, count);
        if (touch_run(&by, lane, count)) continue;
        for (; lane < end; lane++) {
            if (!touch_lane(&by, lane, out)) continue;
            out->lane = (int)lane;
            return true;
        }
    }
    return false;
}

uint32_t hone_emu_races_stored(struct hone_emu_races *races,
                               const struct hone_emu_order *order,
                               const struct hone_emu_touch *touch, uint32_t lane)
{
    const struct toucher by = {races, order, touch};
    uint32_t stored = 0;
    for (uint32_t b = 0; b < touch->bytes && b < 32; b++) {
        const size_t cell = (size_t)((touch->addresses[lane] + b) / races->granule);
        const bool races_here =
            clashes_with_store(&by, cell, lane) || clashes(&by, races->plain[cell], lane);
        stored |= (uint32_t)races_here << b;
    }
    return stored;
}
