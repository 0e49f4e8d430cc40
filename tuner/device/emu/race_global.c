// The last accesses to each cell of device memory, by all blocks that are watched. An
// access comes before another block's when its block has fenced and then signalled by a
// strong store since, and the other has made a strong load after that and then fenced;
// what orders warps within a block joins the ends. Cells come to life page by page.
#include <stdlib.h>
#include <string.h>

#include "race.h"

// Pages beyond are not watched: cells of 48 bytes for 4 of data, so 20 MiB of data.
enum { PAGE = 4096, SLOTS = 1 << 14 };
static const size_t most_bytes = (size_t)256 << 20;

struct access {
    uint32_t block; // number
    uint32_t world; // signals so far
    hone_emu_stamp stamp;
    uint32_t site;
};

struct cell {
    struct access write, read;
    struct access early; // a read by another block than the last one's
};

struct page {
    uint64_t number; // address / PAGE
    struct cell *cells;
};

struct block {
    uint32_t id[3];
    struct hone_emu_vector fenced;    // what had happened at its last fence
    struct hone_emu_vector published; // the same at its last signal
    bool has_fenced;                  // since then
    uint32_t seen;                    // signals of all at its last strong load
};

struct hone_emu_global_races {
    uint32_t granule;
    uint32_t signals;
    struct page *pages; // SLOTS, open addressing
    struct page last;   // the one met last
    size_t bytes;       // of cells
    struct block *blocks;
    size_t count, cap;
};

struct hone_emu_global_races *hone_emu_global_races_new(uint32_t granule)
{
    struct hone_emu_global_races *races = calloc(1, sizeof *races);
    if (!races) return NULL;
    races->granule = granule;
    races->last.number = UINT64_MAX;
    races->pages = calloc(SLOTS, sizeof *races->pages);
    if (races->pages) return races;
    free(races);
    return NULL;
}

void hone_emu_global_races_free(struct hone_emu_global_races *races)
{
    if (!races) return;
    for (size_t i = 0; i < SLOTS; i++)
        free(races->pages[i].cells);
    free(races->pages);
    free(races->blocks);
    free(races);
}

int64_t hone_emu_global_races_enter(struct hone_emu_global_races *races,
                                    const uint32_t id[3])
{
    if (races->count == races->cap) {
        size_t cap = races->cap ? races->cap * 2 : 16;
        void *grown = realloc(races->blocks, cap * sizeof *races->blocks);
        if (!grown) return -1;
        races->blocks = grown;
        races->cap = cap;
    }
    struct block *block = &races->blocks[races->count];
    *block = (struct block){.id = {id[0], id[1], id[2]}};
    return (int64_t)races->count++;
}

static void join(struct hone_emu_vector *into, const struct hone_emu_vector *from)
{
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        if (from->clocks[k] > into->clocks[k]) into->clocks[k] = from->clocks[k];
}

uint32_t hone_emu_global_races_fence(struct hone_emu_global_races *races, uint32_t number,
                                     const struct hone_emu_vector *known)
{
    struct block *block = &races->blocks[number];
    join(&block->fenced, known);
    block->has_fenced = true;
    return block->seen;
}

void hone_emu_global_races_strong(struct hone_emu_global_races *races, uint32_t number,
                                  bool loads, bool stores)
{
    struct block *block = &races->blocks[number];
    if (loads) block->seen = races->signals;
    if (!stores || !block->has_fenced) return;
    join(&block->published, &block->fenced);
    block->has_fenced = false;
    races->signals++;
}

// NULL when the page is not watched: there is no room for its cells. At most a third of
// the slots are taken then.
static struct cell *cells_of(struct hone_emu_global_races *races, uint64_t number)
{
    if (number == races->last.number) return races->last.cells;
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % SLOTS;
    while (races->pages[at].cells && races->pages[at].number != number)
        at = (at + 1) % SLOTS;
    struct page *page = &races->pages[at];
    size_t bytes = PAGE / races->granule * sizeof *page->cells;
    if (!page->cells && races->bytes + bytes <= most_bytes) {
        *page = (struct page){number, calloc(1, bytes)};
        races->bytes += bytes;
    }
    if (page->cells) races->last = *page;
    return page->cells;
}

struct toucher {
    struct hone_emu_global_races *races;
    uint32_t block;
    const struct hone_emu_order *order;
    const struct hone_emu_touch *touch;
};

static bool ordered(const struct toucher *by, const struct access *before, uint32_t lane)
{
    uint32_t warp = by->touch->warp;
    if (before->block == by->block)
        return hone_emu_ordered(by->order, before->stamp, warp, lane);
    const struct hone_emu_vector *published = &by->races->blocks[before->block].published;
    return published->clocks[hone_emu_stamp_warp(before->stamp)] >=
               hone_emu_stamp_clock(before->stamp) &&
           by->order->warps[warp].clocks[HONE_EMU_WORLD] > before->world;
}

static bool clashes(const struct toucher *by, const struct access *before, uint32_t lane)
{
    return before->stamp &&
           !(by->touch->strong && hone_emu_stamp_strong(before->stamp)) &&
           !ordered(by, before, lane);
}

static const struct access *find_conflict(const struct toucher *by,
                                          const struct cell *cell, uint32_t lane)
{
    if (clashes(by, &cell->write, lane)) return &cell->write;
    if (!by->touch->writes) return NULL;
    if (clashes(by, &cell->read, lane)) return &cell->read;
    return clashes(by, &cell->early, lane) ? &cell->early : NULL;
}

static void note(struct cell *cell, struct access now, bool writes)
{
    if (writes) {
        cell->write = now;
        return;
    }
    const hone_emu_stamp lane_bits = 63U << 1;
    if (cell->read.stamp && cell->read.block != now.block) cell->early = cell->read;
    if (cell->read.block == now.block && cell->read.stamp != now.stamp &&
        (cell->read.stamp & ~lane_bits) == (now.stamp & ~lane_bits))
        now.stamp = (now.stamp & ~lane_bits) | HONE_EMU_SEVERAL << 1;
    cell->read = now;
}

static void tell(const struct toucher *by, struct hone_emu_conflict *out,
                 const struct access *other, bool writes)
{
    bool elsewhere = other->block != by->block;
    *out = (struct hone_emu_conflict){
        .other_lane = (int)hone_emu_stamp_lane(other->stamp),
        .other_warp = hone_emu_stamp_warp(other->stamp),
        .other_site = other->site,
        .other_block = elsewhere ? by->races->blocks[other->block].id : NULL,
        .other_writes = writes};
}

static bool touch_lane(const struct toucher *by, uint32_t at_lane,
                       struct hone_emu_conflict *out)
{
    const struct hone_emu_touch *touch = by->touch;
    uint32_t lane = hone_emu_touch_lane(touch, at_lane);
    const struct access now = {
        .block = by->block,
        .world = by->races->signals,
        .site = touch->site,
        .stamp = hone_emu_stamp_make(by->order, touch->warp, lane, touch->strong)};
    uint64_t at = touch->addresses[at_lane], end = at + touch->bytes;
    struct cell *cells = cells_of(by->races, at / PAGE); // an access is within a page
    if (!cells) return false;
    bool found = false;
    for (; at < end; at += by->races->granule) {
        struct cell *cell = &cells[at % PAGE / by->races->granule];
        const struct access *other = found ? NULL : find_conflict(by, cell, lane);
        if (other) {
            tell(by, out, other, other == &cell->write);
            out->address = at;
            found = true;
        }
        note(cell, now, touch->writes);
    }
    return found;
}

bool hone_emu_global_races_touch(struct hone_emu_global_races *races, uint32_t block,
                                 const struct hone_emu_order *order,
                                 const struct hone_emu_touch *touch,
                                 struct hone_emu_conflict *out)
{
    const struct toucher by = {races, block, order, touch};
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (!touch_lane(&by, lane, out)) continue;
        out->lane = (int)lane;
        return true;
    }
    return false;
}
