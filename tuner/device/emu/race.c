// Vector clocks of warps and the last accesses to each cell of shared memory.
#include "race.h"

#include <stdlib.h>
#include <string.h>

// An access: clock of its warp (0: none), warp, lane (or SEVERAL), strong or not.
typedef uint32_t stamp;
enum { SEVERAL = 32, CLOCK_AT = 12, MAX_CLOCK = (1 << 20) - 1 };

struct hone_emu_cell {
    stamp write, read; // the last of each
    uint32_t write_line, read_line;
    uint32_t epoch, readers; // warps that have read since the last barrier
};

static stamp make_stamp(uint32_t clock, uint32_t warp, uint32_t lane, bool strong)
{
    return clock << CLOCK_AT | warp << 7 | lane << 1 | strong;
}

static uint32_t clock_of(stamp s)
{
    return s >> CLOCK_AT;
}

static uint32_t warp_of(stamp s)
{
    return s >> 7 & 31;
}

static uint32_t lane_of(stamp s)
{
    return s >> 1 & 63;
}

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
    memset(races->clocks, 0, sizeof races->clocks);
    memset(races->gates, 0, sizeof races->gates);
    memset(races->waiting, 0, sizeof races->waiting);
    memset(races->fenced, 0, sizeof races->fenced);
    memset(races->exited, 0, sizeof races->exited);
    memset(races->cells, 0, races->cell_count * sizeof *races->cells);
    races->epoch = 0;
    races->partial = false;
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        races->clocks[w][w] = 1;
}

// ---- order ----

static void join(uint32_t *into, const uint32_t *from)
{
    for (uint32_t w = 0; w < HONE_EMU_MAX_WARPS; w++)
        if (from[w] > into[w]) into[w] = from[w];
}

static void tick(struct hone_emu_races *races, uint32_t warp)
{
    if (races->clocks[warp][warp] < MAX_CLOCK) races->clocks[warp][warp]++;
}

void hone_emu_races_arrive(struct hone_emu_races *races, uint32_t warp, uint32_t barrier,
                           bool waits)
{
    join(races->gates[barrier], races->clocks[warp]);
    if (waits) races->waiting[barrier] |= UINT32_C(1) << warp;
    tick(races, warp);
}

void hone_emu_races_open(struct hone_emu_races *races, uint32_t barrier, bool whole)
{
    uint32_t *gate = races->gates[barrier];
    if (whole) join(gate, races->exited); // to exit is to arrive there
    for (uint32_t m = races->waiting[barrier]; m; m &= m - 1)
        join(races->clocks[__builtin_ctz(m)], gate);
    memset(gate, 0, sizeof races->gates[barrier]);
    races->waiting[barrier] = 0;
    if (whole)
        races->epoch++;
    else
        races->partial = true;
}

void hone_emu_races_sync_warp(struct hone_emu_races *races, uint32_t warp)
{
    tick(races, warp);
}

void hone_emu_races_fence(struct hone_emu_races *races, uint32_t warp)
{
    join(races->fenced, races->clocks[warp]);
    join(races->clocks[warp], races->fenced);
    tick(races, warp);
    races->partial = true;
}

void hone_emu_races_exit(struct hone_emu_races *races, uint32_t warp)
{
    join(races->exited, races->clocks[warp]);
    tick(races, warp);
}

// ---- accesses ----

static bool ordered(const struct hone_emu_races *races, stamp before, uint32_t warp,
                    uint32_t lane)
{
    uint32_t other = warp_of(before);
    if (other == warp)
        return lane_of(before) == lane || clock_of(before) < races->clocks[warp][warp];
    return races->clocks[warp][other] >= clock_of(before);
}

static bool clashes(const struct hone_emu_races *races, stamp before,
                    const struct hone_emu_touch *touch, uint32_t lane)
{
    return before && !(touch->strong && (before & 1)) &&
           !ordered(races, before, touch->warp, lane);
}

static void tell(struct hone_emu_conflict *out, stamp before, uint32_t line, bool writes)
{
    out->other_lane = (int)lane_of(before);
    out->other_warp = warp_of(before);
    out->other_line = line;
    out->other_writes = writes;
}

// Readers of this epoch beside the last one: all are unordered when barriers of the whole
// block are the only order there is.
static bool read_by_others(const struct hone_emu_races *races,
                           const struct hone_emu_cell *cell,
                           const struct hone_emu_touch *touch)
{
    return !races->partial && !touch->strong && cell->epoch == races->epoch &&
           (cell->readers & ~(UINT32_C(1) << touch->warp));
}

static bool find_conflict(const struct hone_emu_races *races,
                          const struct hone_emu_cell *cell,
                          const struct hone_emu_touch *touch, uint32_t lane,
                          struct hone_emu_conflict *out)
{
    if (clashes(races, cell->write, touch, lane)) {
        tell(out, cell->write, cell->write_line, true);
        return true;
    }
    if (!touch->writes) return false;
    bool several = read_by_others(races, cell, touch);
    if (!several && !clashes(races, cell->read, touch, lane)) return false;
    tell(out, cell->read, cell->read_line, false);
    if (several)
        out->other_warp =
            (uint32_t)__builtin_ctz(cell->readers & ~(UINT32_C(1) << touch->warp));
    return true;
}

static void note_read(const struct hone_emu_races *races, struct hone_emu_cell *cell,
                      stamp now, const struct hone_emu_touch *touch)
{
    const stamp lane_bits = 63U << 1;
    if ((cell->read & ~lane_bits) == (now & ~lane_bits) && cell->read != now)
        now = (now & ~lane_bits) | SEVERAL << 1;
    cell->read = now;
    cell->read_line = touch->line;
    if (cell->epoch != races->epoch) cell->readers = 0;
    cell->epoch = races->epoch;
    cell->readers |= UINT32_C(1) << touch->warp;
}

static bool touch_lane(struct hone_emu_races *races, const struct hone_emu_touch *touch,
                       uint32_t lane, struct hone_emu_conflict *out)
{
    uint32_t clock = races->clocks[touch->warp][touch->warp];
    const stamp now = make_stamp(clock, touch->warp, lane, touch->strong);
    uint64_t first = touch->addresses[lane] / races->granule;
    uint64_t end = (touch->addresses[lane] + touch->bytes - 1) / races->granule + 1;
    bool found = false;
    for (uint64_t c = first; c < end; c++) {
        struct hone_emu_cell *cell = &races->cells[c];
        if (!found && find_conflict(races, cell, touch, lane, out)) {
            found = true;
            out->address = c * races->granule;
        }
        if (touch->writes) {
            cell->write = now;
            cell->write_line = touch->line;
        } else {
            note_read(races, cell, now, touch);
        }
    }
    return found;
}

// Lanes that load one address: two of them stand for all. A third one finds no conflict
// that neither of them finds, and leaves the cell as it is.
struct loads {
    uint64_t address[HONE_EMU_LANES];
    uint8_t times[HONE_EMU_LANES];
};

static bool is_third(struct loads *loads, uint64_t address, uint32_t bytes)
{
    const uint32_t k = (uint32_t)(address / bytes) % HONE_EMU_LANES;
    if (loads->times[k] == 0 || loads->address[k] != address) {
        loads->address[k] = address;
        loads->times[k] = 1;
        return false;
    }
    return ++loads->times[k] > 2;
}

bool hone_emu_races_touch(struct hone_emu_races *races,
                          const struct hone_emu_touch *touch,
                          struct hone_emu_conflict *out)
{
    struct loads loads;
    memset(loads.times, 0, sizeof loads.times);
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (!touch->writes && is_third(&loads, touch->addresses[lane], touch->bytes))
            continue;
        if (!touch_lane(races, touch, lane, out)) continue;
        out->lane = (int)lane;
        return true;
    }
    return false;
}
