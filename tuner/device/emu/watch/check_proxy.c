// Generic and asynchronous accesses that meet in shared memory (proxy.h): a proxy fence
// that is missing between them, memory used before the end of an asynchronous operation
// was observed, and memory changed while one still reads it.
#include "check_state.h"

enum { CELL = HONE_EMU_PROXY_CELL };

// ---- who is known to be done ----

static const struct hone_emu_proxy_op *unknown_op(const struct hone_emu_checker *checker,
                                                  uint64_t number, uint32_t warp,
                                                  bool only_read)
{
    const struct hone_emu_proxy_op *op = hone_emu_proxy_find(checker->proxy, number);
    if (!op || (only_read && hone_emu_proxy_received(op))) return NULL;
    const uint32_t *known = only_read ? op->read_known : op->known;
    return hone_emu_proxy_knows(&checker->order, known, warp) ? NULL : op;
}

// Who reads the cell still, as far as the warp knows; NULL: nobody.
static const struct hone_emu_proxy_op *find_reader(const struct hone_emu_checker *checker,
                                                   const struct hone_emu_proxy_cell *cell,
                                                   uint32_t warp)
{
    for (size_t k = 0; k < 2; k++) {
        const struct hone_emu_proxy_op *op =
            unknown_op(checker, cell->readers[k], warp, true);
        if (op) return op;
    }
    return NULL;
}

// Another block has sent the bytes; false where something was found.
static bool sent_meets(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, uint32_t lane, uint64_t at,
                       uint32_t bytes, bool writes)
{
    const struct hone_emu_proxy_op *op =
        hone_emu_proxy_sent(checker->proxy, &checker->order, warp->index, at, bytes);
    if (!op) return true;
    if (!writes) return !hone_emu_report_unwaited(checker, warp, insn, lane, op, "load");
    return !hone_emu_report_meeting(
        checker, warp, insn, lane, HONE_FINDING_IN_FLIGHT, op->site,
        "store to shared memory that what another block of the cluster sends (#) has not "
        "been known to be done with");
}

// ---- threads ----

static const char too_late[] =
    "store to shared memory that an asynchronous operation (#) has not been known to be "
    "done with";
static const char too_early[] = "store to shared memory races with the wgmma at #, which "
                                "reads it: nothing orders them";

// The operation is a product that the warp is to issue, too, and has not come to.
static bool is_ahead(const struct hone_emu_checker *checker,
                     const struct hone_emu_proxy_op *op, uint32_t warp)
{
    return op->unit == HONE_EMU_UNIT_WGMMA &&
           op->warp / HONE_EMU_GROUP_WARPS == warp / HONE_EMU_GROUP_WARPS &&
           hone_emu_products_issued(checker, warp) < op->product;
}

// False where something was found.
static bool thread_meets(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane, bool writes,
                         struct hone_emu_proxy_cell *cell)
{
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    const hone_emu_stamp stamp =
        hone_emu_stamp_make(&checker->order, warp->index, lane, false);
    if (writes && hone_emu_proxy_store_beside(cell, stamp, site)) return true;
    const struct hone_emu_proxy_op *op =
        unknown_op(checker, cell->writer, warp->index, false);
    if (op && !writes)
        return !hone_emu_report_unwaited(checker, warp, insn, lane, op, "load");
    if (!writes) {
        hone_emu_proxy_load(cell, stamp, site);
        return true;
    }
    if (!op) op = find_reader(checker, cell, warp->index);
    const bool ahead = op && is_ahead(checker, op, warp->index);
    if (op && hone_emu_report_meeting(checker, warp, insn, lane,
                                      ahead ? HONE_FINDING_RACE : HONE_FINDING_IN_FLIGHT,
                                      op->site, ahead ? too_early : too_late))
        return false;
    const struct hone_emu_proxy_store store = {.stamp = stamp, .site = site};
    if (!hone_emu_proxy_store_behind(&checker->order, cell, stamp, site))
        hone_emu_proxy_store(checker->proxy, &checker->order, cell, &store);
    cell->writer = cell->readers[0] = cell->readers[1] = 0;
    return true;
}

void hone_emu_check_proxy_access(struct hone_emu_checker *checker,
                                 const struct hone_emu_warp *warp,
                                 const struct hone_emu_insn *insn,
                                 const struct hone_emu_touch *touch)
{
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint64_t end = touch->addresses[lane] + touch->bytes;
        if (!sent_meets(checker, warp, insn, lane, touch->addresses[lane], touch->bytes,
                        touch->writes))
            return;
        for (uint64_t at = touch->addresses[lane]; at < end; at = (at / CELL + 1) * CELL)
            if (!thread_meets(checker, warp, insn, lane, touch->writes,
                              hone_emu_proxy_cell(checker->proxy, at)))
                return;
    }
}

static const char fence_too_late[] =
    "fence.proxy.async behind the barrier: nothing orders it before the asynchronous "
    "operation (#) that reads what this warp wrote";

// Lanes that fence do so for what they did and what they know of others.
static void note_fence(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       uint32_t site, uint32_t mask)
{
    const uint32_t w = warp->index;
    const bool whole = (warp->alive & ~mask) == 0;
    if (!whole) checker->fenced_in_parts |= UINT32_C(1) << w;
    const struct hone_emu_vector *told =
        hone_emu_order_told(&checker->order, w, whole ? UINT32_MAX : mask);
    hone_emu_proxy_fence(
        checker->proxy, w,
        &(const struct hone_emu_proxy_fence){.site = site,
                                             .clock = told->clocks[w],
                                             .lanes = whole ? UINT32_MAX : told->lanes[w],
                                             .whole = told->whole[w],
                                             .loads = told->loads[w]});
}

void hone_emu_check_proxy_fence(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, uint32_t mask)
{
    const struct hone_emu_order *order = &checker->order;
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    if (!checker->proxy) return;
    if (insn->space != PTX_SHARED)
        hone_emu_global_races_proxy_fence(checker->checks->races);
    if (insn->space == PTX_GLOBAL) return;
    const struct hone_emu_proxy_op *op =
        hone_emu_proxy_relying(checker->proxy, order, warp->index, site);
    if (op)
        hone_emu_report_meeting(checker, warp, insn, (uint32_t)__builtin_ctz(mask),
                                HONE_FINDING_PROXY_FENCE, op->site, fence_too_late);
    note_fence(checker, warp, site, mask);
    hone_emu_order_proxy_fence(&checker->order, warp->index,
                               hone_emu_check_oldest_arrival(checker, warp->index));
}

// ---- asynchronous operations ----

static const char no_fence[] =
    "asynchronous read of shared memory written at # without fence.proxy.async between";
static const char no_fence_of_copy[] =
    "asynchronous read of shared memory that a copy (#) has filled, without "
    "fence.proxy.async behind the wait for it";
static const char no_order[] =
    "asynchronous read of shared memory races with the store at #: nothing orders them";
static const char no_order_of_copy[] =
    "asynchronous read of shared memory that a copy (#) has filled: nothing orders it "
    "behind the wait for it";
static const char refilled[] =
    "asynchronous write to shared memory that another operation (#) has not been known "
    "to be done with";
static const char fence_apart[] =
    "asynchronous read of shared memory written at #, whose fence.proxy.async stands "
    "behind the barrier: nothing orders it before the read";
static const char over_load[] =
    "asynchronous write to shared memory loaded at # without fence.proxy.async between";
static const char over_store[] = "asynchronous write to shared memory stored to at # "
                                 "without fence.proxy.async between";
static const char over_copy[] =
    "asynchronous write to shared memory that a copy (#) has filled, without "
    "fence.proxy.async behind the wait for it";

// Is the writer's own fence known, or does the operation rely on that of its own warp?
// False where the writer has executed the same one, too late.
static bool rely_on_fence(struct hone_emu_checker *checker,
                          const struct hone_emu_async *event, uint32_t lane,
                          const struct hone_emu_proxy_store *store)
{
    const uint32_t warp = event->warp->index, writer = hone_emu_stamp_warp(store->stamp);
    const uint32_t stored = hone_emu_stamp_clock(store->stamp);
    const struct hone_emu_vector *known = &checker->order.warps[warp];
    // all warps of a group issue a product, each behind its own fence; and where a copy
    // ends at an mbarrier its thread need not be there any more
    if (event->unit == HONE_EMU_UNIT_WGMMA || writer == warp || store->landed ||
        known->published[writer] >= stored)
        return true;
    struct hone_emu_proxy_op *op = hone_emu_proxy_find(checker->proxy, event->number);
    if (!op) return true;
    const struct hone_emu_proxy_fence *fence =
        hone_emu_proxy_last_fence(checker->proxy, writer);
    op->relied |= UINT32_C(1) << writer;
    return fence->clock < stored || fence->site != op->fence_site ||
           known->clocks[writer] >= fence->clock ||
           !hone_emu_report_meeting(checker, event->warp, event->insn, lane,
                                    HONE_FINDING_PROXY_FENCE, store->site, fence_apart);
}

static bool is_copy(const struct hone_emu_checker *checker, uint32_t site)
{
    return checker->code->insns[site].op == EMU_CPASYNC;
}

// Does the warp know of a fence between the proxies behind what a thread did? One that
// its warp executed is none behind a copy that nobody had waited for.
static bool is_fenced(const struct hone_emu_checker *checker,
                      const struct hone_emu_proxy_store *access, uint32_t warp, bool load)
{
    const struct hone_emu_vector *known = &checker->order.warps[warp];
    const struct hone_emu_proxy *proxy = checker->proxy;
    const hone_emu_stamp stamp = access->stamp;
    const uint32_t by = hone_emu_stamp_warp(stamp), clock = hone_emu_stamp_clock(stamp);
    if (known->fenced[by] >= clock && !(checker->fenced_in_parts >> by & 1)) return true;
    return (known->fenced[by] >= clock &&
            hone_emu_proxy_covers(proxy, known->fenced[by], stamp, load)) ||
           (known->published[by] >= (access->landed ? access->landed : clock) &&
            hone_emu_proxy_covers(proxy, known->published[by], stamp, load));
}

// What a thread stored is read; false where something was found.
static bool reads_stored(struct hone_emu_checker *checker,
                         const struct hone_emu_async *event, uint32_t lane,
                         const struct hone_emu_proxy_store *store)
{
    const struct hone_emu_warp *warp = event->warp;
    // all lanes of a warp come to wgmma together
    const bool is_own = event->unit == HONE_EMU_UNIT_WGMMA &&
                        hone_emu_stamp_warp(store->stamp) == warp->index;
    if (!is_own && !hone_emu_ordered(&checker->order, store->stamp, warp->index, lane) &&
        hone_emu_report_meeting(
            checker, warp, event->insn, lane, HONE_FINDING_RACE, store->site,
            is_copy(checker, store->site) ? no_order_of_copy : no_order))
        return false;
    if (!is_fenced(checker, store, warp->index, false) &&
        hone_emu_report_meeting(
            checker, warp, event->insn, lane, HONE_FINDING_PROXY_FENCE, store->site,
            is_copy(checker, store->site) ? no_fence_of_copy : no_fence))
        return false;
    return rely_on_fence(checker, event, lane, store);
}

// An operation that lane of warp issues reads the cell; false where something was found.
static bool async_reads(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event, uint32_t lane,
                        struct hone_emu_proxy_cell *cell)
{
    const struct hone_emu_warp *warp = event->warp;
    struct hone_emu_proxy_store stores[HONE_EMU_CELL_STORES];
    const struct hone_emu_proxy_op *op =
        unknown_op(checker, cell->writer, warp->index, false);
    if (op)
        return !hone_emu_report_unwaited(checker, warp, event->insn, lane, op,
                                         "an asynchronous read");
    const struct hone_emu_proxy_store last = {cell->store, cell->store_site, 0};
    const size_t count =
        cell->several ? hone_emu_proxy_stores(checker->proxy, cell, stores) : 0;
    if (cell->store && !cell->several && !reads_stored(checker, event, lane, &last))
        return false;
    for (size_t k = 0; k < count; k++)
        if (!reads_stored(checker, event, lane, &stores[k])) return false;
    if (cell->peer_store && !hone_emu_check_peer_store(checker, event, lane, cell))
        return false;
    cell->readers[1] = cell->readers[0];
    cell->readers[0] = event->number;
    return true;
}

// What a thread did comes before the operation, and no fence between the proxies does:
// what nothing orders is a race, which is found elsewhere.
static bool lacks_fence(const struct hone_emu_checker *checker,
                        const struct hone_emu_proxy_store *access, uint32_t warp,
                        uint32_t lane, bool load)
{
    const struct hone_emu_order *order = &checker->order;
    return access->stamp &&
           (load ? hone_emu_ordered_load(order, access->stamp, warp, lane)
                 : hone_emu_ordered(order, access->stamp, warp, lane)) &&
           !is_fenced(checker, access, warp, load);
}

// The same of a load: it is over before the operation, too, where its warp has come to a
// wgmma.fence since and waited for a product behind that.
static bool lacks_fence_of_load(const struct hone_emu_checker *checker,
                                hone_emu_stamp before, uint32_t warp, uint32_t lane)
{
    const uint32_t loader = hone_emu_stamp_warp(before);
    const struct hone_emu_proxy_store load = {.stamp = before};
    return lacks_fence(checker, &load, warp, lane, true) &&
           !hone_emu_products_took(checker, loader, hone_emu_stamp_clock(before),
                                   checker->order.warps[warp].clocks[loader]);
}

// False where something was found.
static bool overwrites(struct hone_emu_checker *checker,
                       const struct hone_emu_async *event, uint32_t lane,
                       const struct hone_emu_proxy_cell *cell)
{
    const struct hone_emu_warp *warp = event->warp;
    for (uint32_t k = 0; k < HONE_EMU_CELL_READS; k++)
        if (lacks_fence_of_load(checker, cell->loads[k], warp->index, lane) &&
            hone_emu_report_meeting(checker, warp, event->insn, lane,
                                    HONE_FINDING_PROXY_FENCE, cell->load_sites[k],
                                    over_load))
            return false;
    struct hone_emu_proxy_store stores[HONE_EMU_CELL_STORES];
    const size_t count = hone_emu_proxy_stores(checker->proxy, cell, stores);
    for (size_t k = 0; k < count; k++)
        if (lacks_fence(checker, &stores[k], warp->index, lane, false) &&
            hone_emu_report_meeting(checker, warp, event->insn, lane,
                                    HONE_FINDING_PROXY_FENCE, stores[k].site,
                                    is_copy(checker, stores[k].site) ? over_copy
                                                                     : over_store))
            return false;
    return hone_emu_check_peer_fence(checker, event, lane, cell, false) &&
           hone_emu_check_peer_fence(checker, event, lane, cell, true);
}

static bool async_writes(struct hone_emu_checker *checker,
                         const struct hone_emu_async *event, uint32_t lane,
                         struct hone_emu_proxy_cell *cell)
{
    const struct hone_emu_proxy_op *op = find_reader(checker, cell, event->warp->index);
    if (!op) op = unknown_op(checker, cell->writer, event->warp->index, false);
    if (op && op->number != event->number &&
        hone_emu_report_meeting(checker, event->warp, event->insn, lane,
                                HONE_FINDING_IN_FLIGHT, op->site, refilled))
        return false;
    if (!overwrites(checker, event, lane, cell)) return false;
    *cell = (struct hone_emu_proxy_cell){.writer = event->number};
    return true;
}

static bool is_reduction(const struct hone_emu_insn *insn)
{
    return strncmp(hone_emu_forms[insn->form].name, "cp.reduce.", 10) == 0;
}

// What bytes hold now is written, and whoever touched them before comes before that.
static void write_bytes(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event, uint32_t lane, uint64_t at,
                        uint32_t bytes, bool shared)
{
    uint64_t addresses[HONE_EMU_LANES];
    for (int l = 0; l < HONE_EMU_LANES; l++)
        addresses[l] = at; // cppcheck-suppress unreadVariable // the touch has it
    const struct hone_emu_touch touch = {
        .warp = event->warp->index,
        .mask = UINT32_C(1) << lane,
        .all = UINT32_C(1) << lane,
        .bytes = bytes,
        .site = (uint32_t)(event->insn - checker->code->insns),
        .addresses = addresses,
        .writes = true,
        .by = event,
        // a reduction changes each element as an atomic operation does
        .strong = !shared && is_reduction(event->insn),
        .reach = HONE_EMU_ALL_BLOCKS};
    uint8_t *flags =
        shared ? checker->shared + at : hone_emu_scratch_flags(checker->checks, at);
    if (flags) memset(flags, 0, bytes);
    if (!shared && checker->checks->fresh_count)
        hone_emu_fresh_note(checker->checks, &touch);
    if (shared && checker->checks->clustered)
        hone_emu_check_cluster_races(checker, event->warp, event->insn,
                                     event->warp->block, &touch, 0);
    hone_emu_check_races(checker, event->warp, event->insn,
                         shared ? PTX_SHARED : PTX_GLOBAL, &touch, 0);
}

// True where a store races with what it reads of device memory.
static bool check_span(struct hone_emu_checker *checker,
                       const struct hone_emu_async *event, uint32_t lane,
                       const struct hone_emu_span *span, bool repeated)
{
    const bool own = span->block == event->warp->block;
    const bool shared = span->block != NULL;
    const uint64_t end = span->at + span->bytes;
    if (!shared && !span->writes)
        return hone_emu_check_device_read(checker, event, lane, span);
    if (shared &&
        hone_emu_check_meets_copy(checker, event->warp, event->insn, lane, span))
        return false;
    if (shared && (!own || hone_emu_is_sent(event->insn))) {
        if (span->writes) hone_emu_check_sent(checker, event, lane, span);
        return false;
    }
    if (shared && !span->writes &&
        !sent_meets(checker, event->warp, event->insn, lane, span->at, span->bytes,
                    false))
        return false;
    for (uint64_t at = span->at; at < end; at = (at / CELL + 1) * CELL) {
        const uint64_t next = (at / CELL + 1) * CELL;
        const uint32_t bytes = (uint32_t)((next < end ? next : end) - at);
        struct hone_emu_proxy_cell *cell =
            shared ? hone_emu_proxy_cell(checker->proxy, at) : NULL;
        if (cell &&
            !(span->writes ? async_writes : async_reads)(checker, event, lane, cell))
            return false;
        if (span->writes && (shared || !repeated))
            write_bytes(checker, event, lane, at, bytes, shared);
    }
    return false;
}

static void note_use(struct hone_emu_proxy_op *op, const struct hone_emu_async *event,
                     const struct hone_emu_span *span)
{
    if (span->block != event->warp->block) return;
    op->writes |= span->writes;
    op->reads |= !span->writes;
}

static void check_issue(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(event->lanes);
    struct hone_emu_proxy_op *op = hone_emu_proxy_add(checker->proxy, event->number);
    op->site = (uint32_t)(event->insn - checker->code->insns);
    op->warp = (uint8_t)event->warp->index;
    op->lane = (uint8_t)lane;
    op->unit = (uint8_t)event->unit;
    op->by_group = event->by_group;
    op->group = hone_emu_proxy_group(checker->proxy, op);
    if (event->unit == HONE_EMU_UNIT_WGMMA) {
        op->group = (uint32_t)event->group;
        op->product = hone_emu_products_issued(checker, op->warp);
    }
    op->mbarrier = event->mbarrier;
    const bool repeated = hone_emu_proxy_repeats(checker->proxy, event);
    op->issued = checker->order.warps[op->warp].clocks[op->warp];
    op->behind_grid = checker->after_grid[op->warp] >> lane & 1;
    op->fence_site = hone_emu_proxy_last_fence(checker->proxy, op->warp)->site;
    bool races = false;
    for (size_t k = 0; k < event->count; k++)
        note_use(op, event, &event->spans[k]);
    for (size_t k = 0; k < event->count; k++)
        races |= check_span(checker, event, lane, &event->spans[k], repeated);
    if (races) hone_emu_check_bring_undefined(checker, event, lane);
    if (event->run_count) hone_emu_check_take_undefined(checker, event);
    if (!event->by_group) hone_emu_check_counted(checker, event, lane);
}

void hone_emu_check_async(void *context, const struct hone_emu_async *event)
{
    struct hone_emu_checker *checker = context;
    struct hone_emu_proxy_op *op;
    if (!checker->proxy) return;
    hone_emu_check_map_async(checker, event);
    switch (event->event) {
    case HONE_EMU_ASYNC_ISSUED:
        if (checker->checks->dependent) hone_emu_check_early_async(checker, event);
        check_issue(checker, event);
        return;
    case HONE_EMU_ASYNC_LANDED:
        op = hone_emu_proxy_find(checker->proxy, event->number);
        if (op) op->landed = true;
        if (event->block != event->warp->block) hone_emu_check_sent_landed(event);
        return;
    case HONE_EMU_ASYNC_COMMITTED:
        hone_emu_proxy_commit(checker->proxy, event->unit, event->warp->index,
                              event->lanes);
        return;
    case HONE_EMU_ASYNC_WAITED:
        hone_emu_proxy_wait(checker->proxy, &checker->order, event,
                            hone_emu_global_races_world(checker->checks->races));
        return;
    }
}
