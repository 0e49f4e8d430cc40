// Asynchronous operations that write shared memory of another block of the cluster: bulk
// copies with multicast or to a peer, st.async and red.async. The block they are sent to
// has to be there, waits for them at its mbarrier object, and stays until then.
#include "check_state.h"

enum { CELL = HONE_EMU_PROXY_CELL };

// ---- what warps of another block know ----

// Has a warp of the target, that knew it at one of those clocks, told so since there were
// world signals, and does this one know?
static bool hears_of(const struct hone_emu_checker *checker,
                     const struct hone_emu_warp *warp,
                     const struct hone_emu_checker *target, const uint32_t *known,
                     uint32_t world)
{
    for (uint32_t w = 0; w < target->warps; w++) {
        const hone_emu_stamp stamp = hone_emu_stamp_at(known[w], w, HONE_EMU_ANY_LANE);
        if (known[w] && hone_emu_global_races_ordered(
                            checker->checks->races, target->block, stamp, world,
                            hone_emu_knower_of(checker, warp->index)))
            return true;
    }
    return false;
}

// ---- issue ----

// What was never written is copied as such.
static void copy_flags(const struct hone_emu_checker *checker,
                       const struct hone_emu_async *event,
                       const struct hone_emu_span *span)
{
    const uint8_t *to = span->block->shared, *from = event->warp->block->shared;
    uint8_t *flags = hone_emu_checker_of(span->block)->shared;
    for (size_t k = 0; k < event->run_count; k++) {
        const struct hone_emu_bulk_run *run = &event->runs[k];
        if (run->to < to + span->at || run->to >= to + span->at + span->bytes ||
            run->from < from || run->from + run->bytes > from + checker->shared_bytes)
            continue;
        for (uint32_t b = 0; b < run->bytes; b++)
            flags[run->to - to + b] =
                checker->shared[run->from - from + b] & (uint8_t)~BYTE_PENDING;
    }
}

// What is stored holds what the registers hold; what is copied is written.
static void write_flags(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event, uint32_t lane,
                        const struct hone_emu_span *span)
{
    const struct hone_emu_insn *insn = event->insn;
    uint8_t *flags = hone_emu_checker_of(span->block)->shared + span->at;
    if (insn->op == EMU_STASYNC)
        hone_emu_store_marks(&checker->shadows[event->warp->index], insn, flags, lane,
                             span->bytes / insn->lanes);
    if (insn->op == EMU_STASYNC || insn->logic != LOGIC_NONE) return;
    memset(flags, 0, span->bytes);
    copy_flags(checker, event, span);
}

static void touch_bytes(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event, uint32_t lane,
                        const struct hone_emu_span *span)
{
    // cppcheck-suppress unusedVariable // the touch has it
    uint64_t addresses[HONE_EMU_LANES];
    struct hone_emu_touch touch = {.warp = event->warp->index,
                                   .mask = UINT32_C(1) << lane,
                                   .all = UINT32_C(1) << lane,
                                   .site = (uint32_t)(event->insn - checker->code->insns),
                                   .addresses = addresses,
                                   .writes = true,
                                   .strong = event->insn->logic != LOGIC_NONE,
                                   .reach = HONE_EMU_ALL_BLOCKS};
    const uint64_t end = span->at + span->bytes;
    for (uint64_t at = span->at; at < end; at += touch.bytes) {
        const uint64_t next = (at / CELL + 1) * CELL;
        for (int l = 0; l < HONE_EMU_LANES; l++)
            addresses[l] = at;
        touch.bytes = (uint32_t)((next < end ? next : end) - at);
        hone_emu_check_cluster_races(checker, event->warp, event->insn, span->block,
                                     &touch, 0);
    }
}

// An operation of the target that may still read the cell, as far as the warp knows.
static const struct hone_emu_proxy_op *find_reader(const struct hone_emu_checker *checker,
                                                   const struct hone_emu_warp *warp,
                                                   const struct hone_emu_checker *target,
                                                   const struct hone_emu_proxy_cell *cell)
{
    for (int k = 0; k < 2; k++) {
        const struct hone_emu_proxy_op *op =
            hone_emu_proxy_find(target->proxy, cell->readers[k]);
        if (op && !hone_emu_proxy_received(op) &&
            !hears_of(checker, warp, target, op->read_known, op->read_world))
            return op;
    }
    return NULL;
}

// One that may still write it.
static const struct hone_emu_proxy_op *find_writer(const struct hone_emu_checker *checker,
                                                   const struct hone_emu_warp *warp,
                                                   const struct hone_emu_checker *target,
                                                   const struct hone_emu_proxy_cell *cell)
{
    const struct hone_emu_proxy_op *op = hone_emu_proxy_find(target->proxy, cell->writer);
    return op && !hears_of(checker, warp, target, op->known, 0) ? op : NULL;
}

// False, with a finding, where an operation of the target may still read the bytes.
static bool overwrites(struct hone_emu_checker *checker,
                       const struct hone_emu_async *event, uint32_t lane,
                       const struct hone_emu_checker *target,
                       const struct hone_emu_span *span)
{
    const uint64_t end = span->at + span->bytes;
    for (uint64_t at = span->at; at < end; at = (at / CELL + 1) * CELL) {
        const struct hone_emu_proxy_op *op = find_reader(
            checker, event->warp, target, hone_emu_proxy_cell(target->proxy, at));
        if (op &&
            hone_emu_report_meeting(
                checker, event->warp, event->insn, lane, HONE_FINDING_IN_FLIGHT, op->site,
                "asynchronous write to shared memory of another block, where an "
                "operation (#) has not been known to be done with it"))
            return false;
    }
    return true;
}

void hone_emu_check_sent(struct hone_emu_checker *checker,
                         const struct hone_emu_async *event, uint32_t lane,
                         const struct hone_emu_span *span)
{
    const struct hone_emu_warp *warp = event->warp;
    struct hone_emu_checker *target = hone_emu_checker_of(span->block);
    struct hone_emu_proxy_op *op;
    if (span->block != warp->block) {
        if (!hone_emu_check_visit(checker, warp, event->insn, lane, span->block,
                                  HONE_EMU_VISIT_SENT))
            return;
        target->visits[warp->block->rank][HONE_EMU_VISIT_SENT].in_flight = event->number;
        if (!overwrites(checker, event, lane, target, span)) return;
    }
    touch_bytes(checker, event, lane, span);
    write_flags(checker, event, lane, span);
    op = hone_emu_proxy_find(checker->proxy, event->number);
    if (op && target != checker) op->to = target->proxy;
    op = hone_emu_proxy_find(target->proxy, event->number);
    if (!op) op = hone_emu_proxy_add(target->proxy, event->number);
    op->site = (uint32_t)(event->insn - checker->code->insns);
    op->mbarrier = event->mbarrier;
    op->behind_grid = checker->after_grid[warp->index] >> lane & 1;
    hone_emu_proxy_send(target->proxy, op, span->at, span->bytes);
}

// ---- accesses of threads of other blocks ----

static bool is_peer_known(const struct hone_emu_checker *checker,
                          const struct hone_emu_async *event,
                          const struct hone_emu_proxy_peer *peer)
{
    return hone_emu_global_races_ordered(checker->checks->races, peer->block, peer->stamp,
                                         peer->world,
                                         hone_emu_knower_of(checker, event->warp->index));
}

// Is the access behind a fence between the proxies that comes before the operation: of
// its warp or one that knew of it, as a signal of its block says, or of who had heard of
// such a signal?
static bool is_peer_fenced(const struct hone_emu_checker *checker,
                           const struct hone_emu_async *event,
                           const struct hone_emu_proxy_peer *peer)
{
    const struct hone_emu_global_races *races = checker->checks->races;
    const struct hone_emu_knower knower = hone_emu_knower_of(checker, event->warp->index);
    const uint32_t by = hone_emu_stamp_warp(peer->stamp);
    if (hone_emu_last_heard(knower.known->fenced) > peer->world) return true;
    for (uint32_t to = 0; to < HONE_EMU_FENCED_TO_CLUSTER; to++) {
        const uint32_t *fenced = hone_emu_global_races_fenced(
            races, peer->block, (enum hone_emu_audience)to, knower);
        if (fenced && fenced[by] >= hone_emu_stamp_clock(peer->stamp) &&
            hone_emu_proxy_covers(peer->from, fenced[by], peer->stamp, false))
            return true;
    }
    return hone_emu_global_races_fenced_since(races, peer->world, knower);
}

static bool fences_peer(struct hone_emu_checker *checker,
                        const struct hone_emu_async *event, uint32_t lane,
                        const struct hone_emu_proxy_peer *peer, const char *text)
{
    return is_peer_fenced(checker, event, peer) ||
           !hone_emu_report_meeting(checker, event->warp, event->insn, lane,
                                    HONE_FINDING_PROXY_FENCE, peer->site, text);
}

bool hone_emu_check_peer_fence(struct hone_emu_checker *checker,
                               const struct hone_emu_async *event, uint32_t lane,
                               const struct hone_emu_proxy_cell *cell, bool stores)
{
    const struct hone_emu_proxy_peers *peers =
        hone_emu_proxy_peers(checker->proxy, cell, stores);
    for (size_t k = 0; peers && k < peers->count; k++) {
        // what nothing orders is a race, which is found elsewhere
        if (!is_peer_known(checker, event, &peers->list[k])) continue;
        if (!fences_peer(
                checker, event, lane, &peers->list[k],
                stores ? "asynchronous write to shared memory that another block stored "
                         "to at # without fence.proxy.async between"
                       : "asynchronous write to shared memory that another block loaded "
                         "at # without fence.proxy.async between"))
            return false;
    }
    return true;
}

bool hone_emu_check_peer_store(struct hone_emu_checker *checker,
                               const struct hone_emu_async *event, uint32_t lane,
                               const struct hone_emu_proxy_cell *cell)
{
    const struct hone_emu_proxy_peers *peers =
        hone_emu_proxy_peers(checker->proxy, cell, true);
    for (size_t k = 0; peers && k < peers->count; k++) {
        const struct hone_emu_proxy_peer *peer = &peers->list[k];
        if (!is_peer_known(checker, event, peer))
            return !hone_emu_report_meeting(
                checker, event->warp, event->insn, lane, HONE_FINDING_RACE, peer->site,
                "asynchronous read of shared memory races with the store of another "
                "block at #: nothing orders them");
        if (!fences_peer(checker, event, lane, peer,
                         "asynchronous read of shared memory that another block stored "
                         "to at # without fence.proxy.async between"))
            return false;
    }
    return true;
}

// Does it come before what the lane does now?
static bool is_peer_before(const struct hone_emu_checker *checker,
                           const struct hone_emu_proxy_peer *peer, uint32_t warp,
                           uint32_t lane)
{
    if (peer->block == checker->block)
        return hone_emu_ordered(&checker->order, peer->stamp, warp, lane);
    return hone_emu_global_races_ordered(checker->checks->races, peer->block, peer->stamp,
                                         peer->world, hone_emu_knower_of(checker, warp));
}

// For the operations of the target that come later.
static void note_peer(const struct hone_emu_checker *checker,
                      const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      uint32_t lane, const struct hone_emu_checker *target, uint64_t at)
{
    const bool stores = insn->op != EMU_LD;
    struct hone_emu_proxy_cell *cell = hone_emu_proxy_cell(target->proxy, at);
    const struct hone_emu_proxy_peers *peers =
        hone_emu_proxy_peers(target->proxy, cell, stores);
    const struct hone_emu_proxy_peer peer = {
        .from = checker->proxy,
        .block = checker->block,
        .site = (uint32_t)(insn - checker->code->insns),
        .world = hone_emu_global_races_world(checker->checks->races),
        .stamp = hone_emu_stamp_make(&checker->order, warp->index, lane, false)};
    uint32_t behind = 0;
    for (size_t k = 0; peers && k < peers->count; k++)
        if (is_peer_before(checker, &peers->list[k], warp->index, lane))
            behind |= UINT32_C(1) << k;
    hone_emu_proxy_note_peer(target->proxy, cell, stores, &peer, behind);
}

bool hone_emu_check_sent_access(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn, uint32_t lane,
                                const struct hone_emu_checker *target, uint64_t at,
                                uint32_t bytes)
{
    const bool loads = insn->op == EMU_LD;
    for (uint64_t k = at; k < at + bytes; k = (k / CELL + 1) * CELL) {
        const struct hone_emu_proxy_cell *cell = hone_emu_proxy_cell(target->proxy, k);
        const struct hone_emu_proxy_op *op = find_writer(checker, warp, target, cell);
        if (!op && !loads) op = find_reader(checker, warp, target, cell);
        if (op &&
            hone_emu_report_meeting(
                checker, warp, insn, lane,
                loads ? HONE_FINDING_MISSING_WAIT : HONE_FINDING_IN_FLIGHT, op->site,
                loads ? "missing wait of an asynchronous copy (#) in another block "
                        "of the cluster: load of its place"
                      : "store to shared memory of another block, where an "
                        "asynchronous operation (#) has not been known to be done "
                        "with it"))
            return false;
        note_peer(checker, warp, insn, lane, target, k);
    }
    return true;
}
