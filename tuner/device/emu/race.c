// The last accesses to each cell of shared memory.
#include "race.h"

#include <stdlib.h>
#include <string.h>

struct hone_emu_cell {
    hone_emu_stamp write, read; // the last of each
    uint32_t write_site, read_site;
    uint32_t epoch, readers; // warps that have read since the last barrier
};

bool hone_emu_races_init(struct hone_emu_races *races, uint64_t shared_bytes,
                         uint32_t granule)
{
    *races = (struct hone_emu_races){.granule = granule};
    races->cell_count = (size_t)(shared_bytes / granule + 1);
    races->cells = calloc(races->cell_count, sizeof *races->cells);
    return races->cells != NULL;
}

void hone_emu_races_fini(struct hone_emu_races *races)
{
    free(races->cells);
    races->cells = NULL;
}

void hone_emu_races_begin(struct hone_emu_races *races)
{
    memset(races->cells, 0, races->cell_count * sizeof *races->cells);
}

static bool clashes(const struct hone_emu_order *order, hone_emu_stamp before,
                    const struct hone_emu_touch *touch, uint32_t lane)
{
    return before && !(touch->strong && hone_emu_stamp_strong(before)) &&
           !hone_emu_ordered(order, before, touch->warp, lane);
}

static void tell(struct hone_emu_conflict *out, hone_emu_stamp before, uint32_t site,
                 bool writes)
{
    *out = (struct hone_emu_conflict){.other_lane = (int)hone_emu_stamp_lane(before),
                                      .other_warp = hone_emu_stamp_warp(before),
                                      .other_site = site,
                                      .other_writes = writes};
}

// Readers of this epoch beside the last one: all are unordered when barriers of the whole
// block are the only order there is.
static bool read_by_others(const struct hone_emu_order *order,
                           const struct hone_emu_cell *cell,
                           const struct hone_emu_touch *touch)
{
    return !order->partial && !touch->strong && cell->epoch == order->epoch &&
           (cell->readers & ~(UINT32_C(1) << touch->warp));
}

static bool find_conflict(const struct hone_emu_order *order,
                          const struct hone_emu_cell *cell,
                          const struct hone_emu_touch *touch, uint32_t lane,
                          struct hone_emu_conflict *out)
{
    if (clashes(order, cell->write, touch, lane)) {
        tell(out, cell->write, cell->write_site, true);
        return true;
    }
    if (!touch->writes) return false;
    bool several = read_by_others(order, cell, touch);
    if (!several && !clashes(order, cell->read, touch, lane)) return false;
    tell(out, cell->read, cell->read_site, false);
    if (several)
        out->other_warp =
            (uint32_t)__builtin_ctz(cell->readers & ~(UINT32_C(1) << touch->warp));
    return true;
}

static void note_read(const struct hone_emu_order *order, struct hone_emu_cell *cell,
                      hone_emu_stamp now, const struct hone_emu_touch *touch)
{
    const hone_emu_stamp lane_bits = 63U << 1;
    if ((cell->read & ~lane_bits) == (now & ~lane_bits) && cell->read != now)
        now = (now & ~lane_bits) | HONE_EMU_SEVERAL << 1;
    cell->read = now;
    cell->read_site = touch->site;
    if (cell->epoch != order->epoch) cell->readers = 0;
    cell->epoch = order->epoch;
    cell->readers |= UINT32_C(1) << touch->warp;
}

static bool touch_lane(struct hone_emu_races *races, const struct hone_emu_order *order,
                       const struct hone_emu_touch *touch, uint32_t at_lane,
                       struct hone_emu_conflict *out)
{
    uint32_t lane = hone_emu_touch_lane(touch, at_lane);
    const hone_emu_stamp now =
        hone_emu_stamp_make(order, touch->warp, lane, touch->strong);
    uint64_t first = touch->addresses[at_lane] / races->granule;
    uint64_t end = (touch->addresses[at_lane] + touch->bytes - 1) / races->granule + 1;
    bool found = false;
    for (uint64_t c = first; c < end; c++) {
        struct hone_emu_cell *cell = &races->cells[c];
        if (!found && find_conflict(order, cell, touch, lane, out)) {
            found = true;
            out->address = c * races->granule;
        }
        if (touch->writes) {
            cell->write = now;
            cell->write_site = touch->site;
        } else {
            note_read(order, cell, now, touch);
        }
    }
    return found;
}

bool hone_emu_races_touch(struct hone_emu_races *races,
                          const struct hone_emu_order *order,
                          const struct hone_emu_touch *touch,
                          struct hone_emu_conflict *out)
{
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (!touch_lane(races, order, touch, lane, out)) continue;
        out->lane = (int)lane;
        return true;
    }
    return false;
}
