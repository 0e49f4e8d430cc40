// The last accesses to each cell of device memory, by all blocks that are watched, and
// the last plain store, which strong ones that follow order for nobody. An
// access comes before another block's when its block has fenced and then signalled by a
// strong store since, and the other has made a strong load after that and then fenced;
// what orders warps within a block joins the ends.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "race_global.h"

enum { PAGE = HONE_EMU_RACE_PAGE };

// PLAIN: a store that strong ones followed; EARLY: a load by another block than READ's,
// or by another warp of it;
// SEEN: the last strong load that saw WRITE's, a strong store
enum plane { WRITE, PLAIN, READ, EARLY, SEEN, PLANES };

static_assert((int)PLANES == (int)HONE_EMU_RACE_PLANES, "a page has them all");

struct hone_emu_global_races *hone_emu_global_races_new(uint32_t granule, size_t sites)
{
    struct hone_emu_global_races *races = calloc(1, sizeof *races);
    if (!races) return NULL;
    races->pages.granule = granule;
    if (hone_emu_log_init(&races->log, sites)) return races;
    hone_emu_global_races_free(races);
    return NULL;
}

void hone_emu_global_races_free(struct hone_emu_global_races *races)
{
    if (!races) return;
    hone_emu_race_pages_fini(&races->pages);
    hone_emu_log_fini(&races->log);
    hone_emu_race_blocks_free(races);
    free(races->places.slots);
    free(races);
}

void hone_emu_global_races_forget(struct hone_emu_global_races *races, uint64_t address,
                                  uint64_t bytes)
{
    hone_emu_race_pages_forget(&races->pages, address, bytes);
}

// ---- accesses ----

// An access by a run of lanes to cells of a page that follow one another.
struct toucher {
    struct hone_emu_global_races *races;
    uint32_t block;
    const struct hone_emu_order *order;
    const struct hone_emu_touch *touch;
    struct hone_emu_race_page *page;
    uint32_t first, count; // cells
    uint32_t lane, shift;  // the first one's lane; each lane has 1 << shift of them
    hone_emu_trace trace;  // of the first cell
    uint32_t trace_shift;  // 31: all cells get one trace
};

static hone_emu_trace *plane_of(const struct toucher *by, enum plane plane)
{
    return hone_emu_race_pages_plane(&by->races->pages, by->page, plane);
}

static inline hone_emu_trace trace_of(const struct toucher *by, uint32_t k)
{
    return by->trace + (k >> by->trace_shift);
}

static struct hone_emu_knower knower(const struct toucher *by)
{
    return (struct hone_emu_knower){by->block, &by->order->warps[by->touch->warp]};
}

static bool ordered(const struct toucher *by, hone_emu_trace trace, uint32_t lane)
{
    const struct hone_emu_accesses *before = hone_emu_log_at(&by->races->log, trace);
    const hone_emu_stamp stamp = hone_emu_log_stamp(&by->races->log, trace);
    uint32_t warp = by->touch->warp;
    if (before->block == by->block) return hone_emu_ordered(by->order, stamp, warp, lane);
    return hone_emu_global_races_ordered(by->races, before->block, stamp, before->world,
                                         knower(by));
}

// The same of a load; one of its own block's shared memory may be known without its
// lane's stores.
static bool ordered_load(const struct toucher *by, hone_emu_trace trace, uint32_t lane)
{
    const struct hone_emu_accesses *load = hone_emu_log_at(&by->races->log, trace);
    const hone_emu_stamp stamp = hone_emu_log_stamp(&by->races->log, trace);
    const uint32_t warp = by->touch->warp;
    if (by->touch->owner != load->block + 1u) return ordered(by, trace, lane);
    if (load->block == by->block)
        return hone_emu_ordered_load(by->order, stamp, warp, lane);
    return hone_emu_global_races_ordered_load(by->races, load->block, stamp, load->world,
                                              knower(by));
}

// Is its block one that what reaches so far from the touch's does?
static bool is_reached(const struct toucher *by, const struct hone_emu_accesses *other,
                       uint32_t reach)
{
    if (reach == HONE_EMU_OWN_BLOCK) return other->block == by->block;
    return reach == HONE_EMU_ALL_BLOCKS ||
           hone_emu_are_near(by->races, other->block, by->block);
}

// Is it a strong access that the touch, a strong one too, reaches?
static bool both_strong(const struct toucher *by, hone_emu_trace before)
{
    const struct hone_emu_accesses *other = hone_emu_log_at(&by->races->log, before);
    return by->touch->strong && hone_emu_stamp_strong(other->stamp) &&
           is_reached(by, other, by->touch->reach) && is_reached(by, other, other->reach);
}

// Have lanes of the warp exchanged what was loaded, since?
static bool is_exchanged(const struct toucher *by, hone_emu_trace trace, uint32_t lane)
{
    const struct hone_emu_accesses *load = hone_emu_log_at(&by->races->log, trace);
    return load->block == by->block &&
           hone_emu_exchanges_order(by->order->exchanges,
                                    hone_emu_log_stamp(&by->races->log, trace),
                                    load->site, by->touch->warp, lane, by->touch->site);
}

// May the touch's warp have been told of the strong store by a signal?
static bool is_told_of(const struct toucher *by, const struct hone_emu_accesses *store)
{
    if (store->block == by->block)
        return hone_emu_told_of(by->order, store->stamp, by->touch->warp);
    return hone_emu_last_heard(by->order->warps[by->touch->warp].clocks) >= store->world;
}

// Has another block told of its strong access, and the touch's warp seen that?
static bool is_polled(const struct toucher *by, hone_emu_trace trace)
{
    return hone_emu_global_races_polled(by->races, trace, by->order, knower(by));
}

// As has_seen in race.c: what a strong load has seen comes before all behind the load.
static bool has_seen(const struct toucher *by, uint32_t cell, uint32_t lane)
{
    const hone_emu_trace *seen = by->page->traces[SEEN];
    const struct hone_emu_accesses *store =
        hone_emu_log_at(&by->races->log, by->page->traces[WRITE][cell]);
    if (!seen || !seen[cell] || !hone_emu_stamp_strong(store->stamp)) return false;
    return ordered(by, seen[cell], lane) || (!by->touch->writes && is_told_of(by, store));
}

// Does what the cell's trace says race with what the lane does?
static bool clashes(const struct toucher *by, enum plane plane, uint32_t cell,
                    uint32_t lane)
{
    const hone_emu_trace before = by->page->traces[plane][cell];
    if (before == 0) return false;
    const struct hone_emu_accesses *other = hone_emu_log_at(&by->races->log, before);
    if (other->read_only || by->touch->read_only) return true; // whatever the order
    if (both_strong(by, before)) return false;
    if (plane > PLAIN)
        return !ordered_load(by, before, lane) && !is_exchanged(by, before, lane) &&
               !is_polled(by, before);
    // what is strong for its own alone is kept beside a later one for others
    if (plane == PLAIN && hone_emu_stamp_strong(other->stamp) &&
        is_reached(by, other, other->reach))
        return false;
    if (ordered(by, before, lane) || (by->touch->writes && is_polled(by, before)))
        return false;
    return plane != WRITE || !has_seen(by, cell, lane);
}

// Is cell k the lane's, as the one before it is, and has it the same trace? Then the same
// holds of both, unless cells tell more.
static bool is_as_before(const struct toucher *by, const hone_emu_trace *traces,
                         uint32_t k)
{
    const bool same_lane = (k & ((UINT32_C(1) << by->shift) - 1)) != 0;
    return same_lane && traces[k] == traces[k - 1] && !by->page->traces[SEEN];
}

// The first cell whose trace clashes; count: none.
static uint32_t find_clash(const struct toucher *by, enum plane plane)
{
    const hone_emu_trace *traces = by->page->traces[plane];
    hone_emu_trace any = 0;
    if (!traces) return by->count;
    traces += by->first;
    for (uint32_t k = 0; k < by->count; k++)
        any |= traces[k];
    if (any == 0) return by->count;
    for (uint32_t k = 0; k < by->count; k++)
        if (!is_as_before(by, traces, k) &&
            clashes(by, plane, by->first + k, trace_of(by, k) & HONE_EMU_TRACE_LANES))
            return k;
    return by->count;
}

// Does whoever races with the earlier store, a strong one, race with the touch, too?
static bool stands_for(const struct toucher *by, hone_emu_trace before)
{
    const struct hone_emu_accesses *store = hone_emu_log_at(&by->races->log, before);
    return hone_emu_stamp_strong(store->stamp) && store->reach >= by->touch->reach &&
           is_reached(by, store, store->reach);
}

// A strong store is about to replace what cells hold: a plain one stays known beside it,
// and nobody has seen the new one.
static void keep_plain(const struct toucher *by, const hone_emu_trace *write,
                       uint32_t count)
{
    hone_emu_trace *seen = by->page->traces[SEEN];
    if (seen) memset(seen + by->first, 0, count * sizeof *seen);
    for (uint32_t k = 0; k < count; k++) {
        const hone_emu_trace before = write[by->first + k];
        if (before == 0 || stands_for(by, before)) continue;
        hone_emu_trace *plain = plane_of(by, PLAIN);
        if (plain) plain[by->first + k] = before;
    }
}

static void note_stores(const struct toucher *by, uint32_t count)
{
    hone_emu_trace *write = plane_of(by, WRITE);
    if (!write) return;
    if (by->touch->strong) keep_plain(by, write, count);
    for (uint32_t k = 0; k < count; k++)
        write[by->first + k] = trace_of(by, k);
}

// The same of two loads by lanes of one warp, alike where one instruction made them.
// Where one lane follows several, which may be the one that stores next, theirs stands
// for both.
static hone_emu_trace after_lanes(hone_emu_trace before, hone_emu_trace now, bool alike)
{
    const hone_emu_trace lanes = HONE_EMU_TRACE_LANES, of = before & lanes;
    const hone_emu_trace several =
        alike && of != HONE_EMU_MIXED ? HONE_EMU_SEVERAL : HONE_EMU_MIXED;
    const bool same = ((before ^ now) & lanes) == 0;
    if (same && (alike || of < HONE_EMU_SEVERAL)) return now;
    return ((of >= HONE_EMU_SEVERAL ? before : now) & ~lanes) | several;
}

// May the load of another warp of the block take the place of the early one? Not of one
// by another block that is not known to come before.
static bool may_be_early(const struct toucher *by, uint32_t k, hone_emu_trace before)
{
    const uint32_t lane = by->lane + (k >> by->shift);
    const hone_emu_trace *early = by->page->traces[EARLY];
    if (ordered_load(by, before, lane)) return false;
    if (!early || early[by->first + k] == 0) return true;
    const struct hone_emu_accesses *old =
        hone_emu_log_at(&by->races->log, early[by->first + k]);
    return old->block == by->block || ordered_load(by, early[by->first + k], lane) ||
           hone_emu_global_races_hides(by->races, early[by->first + k], before);
}

// What a cell holds after a load by now, where before was the last one. The trace of
// another block, or of another warp, goes to the early ones.
static hone_emu_trace after_load(const struct toucher *by, uint32_t k,
                                 hone_emu_trace before, hone_emu_trace now)
{
    const struct hone_emu_log *log = &by->races->log;
    const struct hone_emu_accesses *old = hone_emu_log_at(log, before),
                                   *own = hone_emu_log_at(log, now);
    if (old->read_only && !own->read_only) return before; // no store may follow it
    const bool same = old->block == own->block;
    if (same && old->stamp == own->stamp)
        return after_lanes(before, now, old->site == own->site);
    if (same && hone_emu_stamp_warp(old->stamp) == by->touch->warp) return now;
    if (same && (own->read_only || !may_be_early(by, k, before))) return now;
    hone_emu_trace *early = plane_of(by, EARLY);
    if (early && !hone_emu_global_races_hides(by->races, before, early[by->first + k]))
        early[by->first + k] = before;
    return now;
}

static void note_seen(const struct toucher *by, uint32_t count)
{
    const hone_emu_trace *write = by->page->traces[WRITE], *read = by->page->traces[READ];
    for (uint32_t k = by->first; write && read && k < by->first + count; k++) {
        if (write[k] == 0 || !both_strong(by, write[k])) continue;
        hone_emu_trace *seen = plane_of(by, SEEN);
        if (seen) seen[k] = read[k];
    }
}

static void note_loads(const struct toucher *by, uint32_t count)
{
    hone_emu_trace *read = plane_of(by, READ), any = 0;
    if (!read) return;
    read += by->first;
    for (uint32_t k = 0; k < count; k++)
        any |= read[k];
    if (any == 0) {
        for (uint32_t k = 0; k < count; k++)
            read[k] = trace_of(by, k);
        return;
    }
    for (uint32_t k = 0; k < count; k++)
        read[k] = read[k] ? after_load(by, k, read[k], trace_of(by, k)) : trace_of(by, k);
}

static void tell(const struct toucher *by, uint32_t k, enum plane plane,
                 struct hone_emu_conflict *out)
{
    hone_emu_trace trace = by->page->traces[plane][by->first + k];
    const struct hone_emu_accesses *other = hone_emu_log_at(&by->races->log, trace);
    bool elsewhere = other->block != by->block;
    *out = (struct hone_emu_conflict){
        .lane = (int)(by->lane + (k >> by->shift)),
        .other_lane = (int)(trace & HONE_EMU_TRACE_LANES),
        .other_warp = hone_emu_stamp_warp(other->stamp),
        .other_clock = elsewhere ? 0 : hone_emu_stamp_clock(other->stamp),
        .other_site = other->site,
        .other_block = elsewhere ? by->races->blocks[other->block].id : NULL,
        .other_writes = plane < READ,
        .other_strong = hone_emu_stamp_strong(other->stamp),
        .other_read_only = other->read_only,
        .address = by->page->number * PAGE +
                   (uint64_t)(by->first + k) * by->races->pages.granule};
}

// The rest of the lane that clashes is noted too.
static bool touch_run(const struct toucher *by, struct hone_emu_conflict *out)
{
    uint32_t clash = by->count;
    enum plane with = WRITE;
    for (int p = WRITE; p < (by->touch->writes ? SEEN : READ); p++) {
        uint32_t k = find_clash(by, (enum plane)p);
        if (k >= clash) continue;
        clash = k;
        with = (enum plane)p;
    }
    bool found = clash < by->count;
    if (found) tell(by, clash, with, out);
    uint32_t noted = found ? ((clash >> by->shift) + 1) << by->shift : by->count;
    (by->touch->writes ? note_stores : note_loads)(by, noted);
    if (by->touch->strong && !by->touch->writes) note_seen(by, noted);
    return found;
}

// The cells of lanes from lane on, count of them or as many as lie in one page; how many.
static uint32_t set_run(struct toucher *by, uint32_t entry, uint32_t lane, uint32_t count)
{
    const struct hone_emu_touch *touch = by->touch;
    const uint32_t granule = by->races->pages.granule;
    uint64_t at = touch->addresses[lane]; // an access is within a page
    uint32_t fit = (uint32_t)((PAGE - at % PAGE) / touch->bytes);
    if (count > fit) count = fit;
    by->page = hone_emu_race_pages_at(&by->races->pages, at / PAGE);
    by->first = (uint32_t)(at % PAGE / granule);
    by->count = count << by->shift;
    by->lane = lane;
    by->trace = entry << HONE_EMU_TRACE_SHIFT | hone_emu_touch_lane(touch, lane);
    by->trace_shift = touch->several >> lane & 1 ? 31 : by->shift;
    return count;
}

bool hone_emu_global_races_touch(struct hone_emu_global_races *races, uint32_t block,
                                 const struct hone_emu_order *order,
                                 const struct hone_emu_touch *touch,
                                 struct hone_emu_conflict *out)
{
    const struct hone_emu_accesses access = {
        .block = block & HONE_EMU_MOST_BLOCKS,
        .reach = touch->reach & 3U,
        .read_only = touch->read_only,
        .copied = touch->by != NULL,
        .world = races->signals,
        .site = touch->site,
        .stamp = hone_emu_stamp_make(order, touch->warp, 0, touch->strong)};
    const bool whole = touch->bytes >= races->pages.granule; // no two lanes in one cell
    const uint32_t each = whole ? touch->bytes / races->pages.granule : 1;
    const uint32_t entry = hone_emu_log_note(&races->log, &access);
    struct toucher by = {.races = races,
                         .block = block,
                         .order = order,
                         .touch = touch,
                         .shift = (uint32_t)__builtin_ctz(each)};
    if (entry == 0) return false;
    for (uint32_t m = touch->mask; m;) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t count =
            set_run(&by, entry, lane, whole ? hone_emu_touch_run(touch, m) : 1);
        m &= ~hone_emu_lanes_of_run(lane, count);
        if (by.page && touch_run(&by, out)) return true;
    }
    return false;
}

uint32_t hone_emu_global_races_stored(struct hone_emu_global_races *races, uint32_t block,
                                      const struct hone_emu_order *order,
                                      const struct hone_emu_touch *touch, uint32_t lane)
{
    const uint64_t at = touch->addresses[lane];
    const struct toucher by = {.races = races,
                               .block = block,
                               .order = order,
                               .touch = touch,
                               .page = hone_emu_race_pages_at(&races->pages, at / PAGE)};
    uint32_t stored = 0;
    for (int p = WRITE; p < READ && by.page; p++)
        for (uint32_t b = 0; by.page->traces[p] && b < touch->bytes && b < 32; b++) {
            const uint32_t cell = (uint32_t)((at % PAGE + b) / races->pages.granule);
            stored |= (uint32_t)clashes(&by, (enum plane)p, cell, lane) << b;
        }
    return stored;
}

// ---- stores that copies meet ----

// Who asks for stores since then; by NULL: for all, else for those by threads that come
// before, or that nothing orders.
struct question {
    uint32_t since;
    const struct toucher *by;
    uint32_t lane;
    bool racing;
};

static bool answers(const struct hone_emu_log *log, const struct question *question,
                    hone_emu_trace trace)
{
    if (trace == 0 || trace >> HONE_EMU_TRACE_SHIFT < question->since) return false;
    if (question->racing) return !ordered(question->by, trace, question->lane);
    return !question->by || (!hone_emu_log_at(log, trace)->copied &&
                             ordered(question->by, trace, question->lane));
}

static bool find_store(struct hone_emu_global_races *races,
                       const struct question *question, uint64_t at, uint64_t bytes,
                       struct hone_emu_store *out)
{
    const uint64_t end = at + bytes;
    for (uint64_t next; at < end; at = next) {
        const struct hone_emu_race_page *page =
            hone_emu_race_pages_at(&races->pages, at / PAGE);
        const hone_emu_trace *write = page ? page->traces[WRITE] : NULL;
        next = (at / PAGE + 1) * PAGE < end ? (at / PAGE + 1) * PAGE : end;
        for (uint64_t k = at; write && k < next; k += races->pages.granule) {
            const hone_emu_trace trace = write[k % PAGE / races->pages.granule];
            if (!answers(&races->log, question, trace)) continue;
            const struct hone_emu_accesses *store = hone_emu_log_at(&races->log, trace);
            out->site = store->site;
            out->block = races->blocks[store->block].id;
            return true;
        }
    }
    return false;
}

bool hone_emu_global_races_stored_since(struct hone_emu_global_races *races, uint64_t at,
                                        uint64_t bytes, uint32_t since,
                                        struct hone_emu_store *out)
{
    return find_store(races, &(const struct question){.since = since}, at, bytes, out);
}

static bool find_store_for(struct hone_emu_global_races *races,
                           const struct hone_emu_reader *reader, struct question question,
                           uint64_t at, uint64_t bytes, struct hone_emu_store *out)
{
    const struct hone_emu_touch touch = {.warp = reader->warp};
    const struct toucher by = {races, reader->block, reader->order, &touch,
                               .lane = reader->lane};
    question.by = &by;
    question.lane = reader->lane;
    return find_store(races, &question, at, bytes, out);
}

bool hone_emu_global_races_unfenced(struct hone_emu_global_races *races,
                                    const struct hone_emu_reader *reader, uint64_t at,
                                    uint64_t bytes, struct hone_emu_store *out)
{
    return find_store_for(races, reader, (struct question){.since = races->fenced}, at,
                          bytes, out);
}

bool hone_emu_global_races_unordered(struct hone_emu_global_races *races,
                                     const struct hone_emu_reader *reader, uint64_t at,
                                     uint64_t bytes, struct hone_emu_store *out)
{
    return find_store_for(races, reader, (struct question){.racing = true}, at, bytes,
                          out);
}
