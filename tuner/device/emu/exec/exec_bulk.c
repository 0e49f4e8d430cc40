// Bulk copies, a lane at a time: their rules, how they are made, and the waits for their
// groups. Semantics: PTX ISA 9.0, section 9.7.9.25.4.
#include "exec_bulk.h"

#include <stdlib.h>

#include "exec_mbarrier.h"
#include "exec_moment.h"

enum { ALIGNMENT = 16 };

// ---- what is copied ----

static uint64_t read_number(const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, unsigned k, int lane)
{
    return hone_emu_read_lane(warp, insn->src[k], lane, false);
}

static uint64_t read_address(const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, unsigned k, int lane)
{
    const int64_t offsets[] = {insn->offset, insn->offset2, insn->imm, insn->imm};
    const bool wide = insn->wide & 0x80U >> k;
    const uint64_t at =
        hone_emu_read_lane(warp, insn->src[k], lane, wide) + (uint64_t)offsets[k];
    return wide ? at : (uint32_t)at;
}

static bool refuse(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                   enum hone_finding finding, const char *what, uint64_t is,
                   const char *wanted)
{
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, finding, "bulk copy %s %llu: %s", what,
                   (unsigned long long)is, wanted);
    return false;
}

bool hone_emu_bulk_shared(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, uint64_t address, uint32_t bytes, uint32_t alignment,
                          struct hone_emu_block **block, uint32_t *at)
{
    const uint64_t size = warp->block->shared_bytes,
                   offset = address & HONE_EMU_OFFSET_MASK;
    if (!hone_emu_is_of_cluster(warp, insn, lane, address, bytes)) return false;
    if (offset % alignment)
        return refuse(warp, insn, lane, HONE_FINDING_MISALIGNED,
                      "with the shared address", offset,
                      alignment == 8    ? "an mbarrier lies at a multiple of 8"
                      : alignment == 16 ? "it is to be a multiple of 16"
                                        : "by tensor map it is to be a multiple of 128");
    if (bytes > size || offset > size - bytes)
        return hone_emu_explain_lane(warp, insn, lane, PTX_SHARED, offset, bytes);
    // every block of the launch has as much; what is left is which one it is
    *at = (uint32_t)offset;
    return hone_emu_find_member_block(
        warp, insn, lane, hone_emu_rank_of(address, warp->block->rank), true, block);
}

static uint8_t *refuse_misaligned(struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn, int lane,
                                  uint64_t address)
{
    char place[HONE_EMU_DEVICE_TEXT];
    hone_emu_print_device(place, warp->launch, address);
    if (hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_MISALIGNED,
                       "misaligned bulk copy: its global address, %s, is %u bytes past a "
                       "multiple of 16",
                       place, (unsigned)(address % ALIGNMENT)))
        hone_emu_name_buffer(warp->launch->fault, warp->launch, address);
    return NULL;
}

// Host pointer to bytes of device memory; NULL after a fault.
static uint8_t *find_global(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            int lane, uint64_t address, uint32_t bytes, bool writes)
{
    const struct hone_emu_memory *memory = warp->launch->memory;
    const struct hone_emu_range *range = hone_emu_memory_find(memory, address);
    uint8_t *host = hone_emu_memory_at(memory, address, bytes);
    if (address % ALIGNMENT) return refuse_misaligned(warp, insn, lane, address);
    if (!host) {
        if (hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                           "bulk copy of %u bytes past the end of a buffer of %llu bytes",
                           bytes, (unsigned long long)(range ? range->bytes : 0)))
            hone_emu_name_buffer(warp->launch->fault, warp->launch,
                                 range ? range->base : 0);
        return NULL;
    }
    if (writes && range->read_only) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_READ_ONLY,
                       "bulk copy to read-only memory");
        return NULL;
    }
    return host;
}

static bool check_size(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane, uint64_t bytes)
{
    return bytes % ALIGNMENT == 0 ||
           refuse(warp, insn, lane, HONE_FINDING_MISALIGNED, "of a number of bytes,",
                  bytes, "it is to be a multiple of 16");
}

// ---- what the observer is told ----

static void tell_async(const struct hone_emu_block *block,
                       const struct hone_emu_async *event)
{
    const struct hone_emu_observer *observer = block->observer;
    if (observer && observer->async) observer->async(observer->context, event);
}

// A place of the host as the observer knows it; false: it is no memory of the kernel, as
// what fills the edges of a tile.
static bool name_span(const struct hone_emu_bulk *bulk,
                      const struct hone_emu_block *block, const uint8_t *host,
                      uint32_t bytes, bool writes, struct hone_emu_span *out)
{
    const struct hone_emu_memory *memory = block->launch->memory;
    const uintptr_t at = (uintptr_t)host, shared = (uintptr_t)block->shared;
    const uintptr_t global = (uintptr_t)memory->host;
    *out = (struct hone_emu_span){.bytes = bytes, .writes = writes};
    if (at >= shared && at - shared < block->shared_bytes) {
        out->block = block;
        out->at = at - shared;
    } else if (at >= global && at - global < memory->span) {
        out->at = at - global + HONE_EMU_DEVICE_BASE;
    } else {
        return bulk->warp->block != block &&
               name_span(bulk, bulk->warp->block, host, bytes, writes, out);
    }
    return true;
}

// The span, or more of the one before it.
static void add_span(struct hone_emu_span *spans, size_t *count,
                     const struct hone_emu_span *span)
{
    struct hone_emu_span *last = *count ? &spans[*count - 1] : NULL;
    if (last && last->block == span->block && last->at + last->bytes == span->at)
        last->bytes += span->bytes;
    else
        spans[(*count)++] = *span;
}

// Where there is no memory to tell it, nobody is told: findings are missed.
static void tell_issue(struct hone_emu_block *owner, struct hone_emu_bulk *bulk)
{
    struct hone_emu_span *spans = malloc((2 * bulk->run_count + 1) * sizeof *spans), one;
    struct hone_emu_async event = {.event = HONE_EMU_ASYNC_ISSUED,
                                   .unit = HONE_EMU_UNIT_BULK,
                                   .warp = bulk->warp,
                                   .insn = bulk->insn,
                                   .lanes = UINT32_C(1) << bulk->lane,
                                   .number = ++owner->launch->asyncs,
                                   .spans = spans,
                                   .runs = bulk->runs,
                                   .run_count = bulk->run_count,
                                   .block = owner,
                                   .mbarrier = bulk->mbarrier,
                                   .by_group = bulk->end == HONE_EMU_BULK_GROUP,
                                   .again = bulk->again};
    bulk->number = event.number;
    for (int writes = 0; spans && writes < 2; writes++)
        for (size_t k = 0; k < bulk->run_count; k++) {
            const struct hone_emu_bulk_run *run = &bulk->runs[k];
            const uint8_t *host = writes ? run->to : run->from;
            if (name_span(bulk, owner, host, run->bytes, writes, &one))
                add_span(spans, &event.count, &one);
        }
    if (spans) tell_async(bulk->warp->block, &event);
    free(spans);
}

static void tell_landed(const struct hone_emu_block *owner,
                        const struct hone_emu_bulk *bulk)
{
    const struct hone_emu_async event = {.event = HONE_EMU_ASYNC_LANDED,
                                         .unit = HONE_EMU_UNIT_BULK,
                                         .warp = bulk->warp,
                                         .insn = bulk->insn,
                                         .lanes = UINT32_C(1) << bulk->lane,
                                         .number = bulk->number,
                                         .block = owner,
                                         .mbarrier = bulk->mbarrier};
    tell_async(owner, &event);
}

// ---- operations are made ----

static void make_run(const struct hone_emu_bulk *bulk,
                     const struct hone_emu_bulk_run *run)
{
    const enum ptx_space space = bulk->to_global ? PTX_GLOBAL : PTX_SHARED;
    if (bulk->insn->logic == LOGIC_NONE) {
        memmove(run->to, run->from, run->bytes);
        return;
    }
    const struct hone_emu_insn step = {
        .logic = bulk->insn->logic, .type = (uint8_t)bulk->type, .ftz = bulk->insn->ftz};
    const unsigned each = hone_ptx_type_bits(bulk->type) / 8;
    for (uint32_t k = 0; k + each <= run->bytes; k += each) {
        uint64_t value = 0;
        memcpy(&value, run->from + k, each);
        hone_emu_atomic(&step, space, run->to + k, value, 0);
    }
}

static bool make(struct hone_emu_block *owner, const struct hone_emu_bulk *bulk)
{
    for (size_t k = 0; k < bulk->run_count; k++)
        make_run(bulk, &bulk->runs[k]);
    if (bulk->end == HONE_EMU_BULK_GROUP) return true;
    tell_landed(owner, bulk);
    return hone_emu_mbarrier_landed(owner, bulk->warp, bulk->insn, bulk->lane,
                                    bulk->mbarrier, bulk->bytes);
}

static bool make_listed(struct hone_emu_block *owner, size_t k)
{
    struct hone_emu_bulk bulk;
    hone_emu_bulks_take(&owner->bulks, k, &bulk);
    const bool fine = make(owner, &bulk);
    hone_emu_bulk_free(&bulk);
    return fine;
}

// Device memory that is touched, as so many loads or stores of a lane.
static void note_touches(const struct hone_emu_bulk *bulk)
{
    enum { STEP = 16 };
    const struct hone_emu_launch *launch = bulk->warp->launch;
    const uintptr_t global = (uintptr_t)launch->memory->host;
    uint64_t at[HONE_EMU_LANES];
    for (size_t k = 0; launch->touch && k < bulk->run_count; k++) {
        const struct hone_emu_bulk_run *run = &bulk->runs[k];
        const uintptr_t host = (uintptr_t)(bulk->to_global ? run->to : run->from);
        if (host < global || host - global >= launch->memory->span) continue;
        for (uint32_t done = 0; done < run->bytes; done += STEP) {
            for (int l = 0; l < HONE_EMU_LANES; l++)
                at[l] = host - global + HONE_EMU_DEVICE_BASE + done;
            launch->touch(launch->touch_context, bulk->warp, bulk->insn, at, STEP);
        }
    }
}

bool hone_emu_bulk_start(struct hone_emu_block *owner, const struct hone_emu_bulk *bulk)
{
    struct hone_emu_bulk begun = *bulk;
    if (bulk->end == HONE_EMU_BULK_GROUP)
        begun.group = bulk->warp->units.bulk_groups.committed[bulk->lane];
    if (owner->observer) tell_issue(owner, &begun);
    note_touches(bulk);
    if (hone_emu_made_at_once(owner) || !hone_emu_bulks_put_off(&owner->bulks, &begun))
        return make(owner, &begun);
    return true;
}

static bool is_awaited(const struct hone_emu_block *block, uint32_t mbarrier)
{
    uint64_t word;
    memcpy(&word, block->shared + mbarrier, sizeof word);
    const struct hone_emu_mbarrier object = hone_emu_mbarrier_read(word);
    return object.lives && object.pending == 0;
}

bool hone_emu_bulk_land(struct hone_emu_block *block, uint32_t mbarrier)
{
    for (size_t k = 0; k < block->bulks.count;) {
        const struct hone_emu_bulk *bulk = &block->bulks.items[k];
        const bool here =
            bulk->end == HONE_EMU_BULK_MBARRIER && bulk->mbarrier == mbarrier;
        // arrivals are missing: what lands would end no phase
        if (here && !is_awaited(block, mbarrier)) return true;
        if (!here)
            k++;
        else if (!make_listed(block, k))
            return false;
    }
    return true;
}

void hone_emu_bulk_between(struct hone_emu_block *block)
{
    for (size_t k = 0; k < block->bulks.count;)
        if (!hone_emu_made_between(block))
            k++;
        else if (!make_listed(block, k))
            return;
}

void hone_emu_bulk_finish(struct hone_emu_block *block)
{
    while (block->bulks.count && make_listed(block, 0)) {
    }
}

// ---- handlers ----

// Where a lane's operation reads and writes, which was checked; false after a fault.
static bool locate(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                   uint32_t bytes, struct hone_emu_bulk_run *run,
                   struct hone_emu_block **target)
{
    const uint64_t to = read_address(warp, insn, 0, lane);
    const uint64_t from = read_address(warp, insn, 1, lane);
    struct hone_emu_block *block;
    uint32_t at;
    run->bytes = bytes;
    *target = warp->block;
    if (insn->op == EMU_BULKSTORE) {
        run->to = find_global(warp, insn, lane, to, bytes, true);
        if (!run->to) return false;
    } else {
        if (!hone_emu_bulk_shared(warp, insn, lane, to, bytes, ALIGNMENT, target, &at))
            return false;
        run->to = (*target)->shared + at;
    }
    if (insn->op == EMU_BULKLOAD || insn->op == EMU_BULKCAST) {
        run->from = find_global(warp, insn, lane, from, bytes, false);
        return run->from != NULL;
    }
    if (!hone_emu_bulk_shared(warp, insn, lane, from, bytes, ALIGNMENT, &block, &at))
        return false;
    run->from = block->shared + at;
    return block == warp->block || // shared::cta
           hone_emu_find_member_block(warp, insn, lane, block->rank, false, &block);
}

// Its part for the block of that rank, which is part of the cluster.
static bool cast_to(struct hone_emu_block *named, const struct hone_emu_bulk *bulk,
                    uint32_t rank, struct hone_emu_bulk_run *runs, bool again)
{
    struct hone_emu_bulk one = *bulk;
    struct hone_emu_block *block;
    if (!hone_emu_find_member_block(bulk->warp, bulk->insn, bulk->lane, rank, true,
                                    &block))
        return false;
    for (size_t k = 0; k < bulk->run_count; k++) {
        runs[k] = bulk->runs[k];
        runs[k].to = block->shared + (runs[k].to - named->shared);
    }
    one.runs = runs;
    one.again = again;
    return hone_emu_bulk_start(block, &one);
}

bool hone_emu_bulk_cast(struct hone_emu_block *named, const struct hone_emu_bulk *bulk,
                        uint32_t mask)
{
    struct hone_emu_warp *warp = bulk->warp;
    const struct hone_emu_cluster *cluster = warp->block->cluster;
    bool fine = true;
    if (mask == 0 || mask >> cluster->size) {
        hone_emu_fault(warp, bulk->insn, bulk->lane, HONE_CRASHED, HONE_FINDING_PEER,
                       "multicast to the blocks 0x%04x of a cluster of %u", mask,
                       cluster->size);
        return false;
    }
    struct hone_emu_bulk_run *runs = malloc((bulk->run_count + 1) * sizeof *runs);
    if (!runs) {
        hone_emu_fault(warp, bulk->insn, bulk->lane, HONE_CRASHED, HONE_FINDING_NONE,
                       "no memory to follow a multicast");
        return false;
    }
    for (uint32_t m = mask; m && fine; m &= m - 1)
        fine = cast_to(named, bulk, (uint32_t)__builtin_ctz(m), runs, m != mask);
    free(runs);
    return fine;
}

static bool start_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane)
{
    const uint64_t bytes = read_number(warp, insn, 2, lane);
    const bool by_group = insn->op == EMU_BULKSTORE;
    struct hone_emu_bulk_run run;
    struct hone_emu_block *target, *owner = warp->block;
    struct hone_emu_bulk bulk = {.runs = &run,
                                 .run_count = 1,
                                 .insn = insn,
                                 .type = (enum ptx_type)insn->type,
                                 .warp = warp,
                                 .lane = lane,
                                 .bytes = (uint32_t)bytes,
                                 .end = by_group ? HONE_EMU_BULK_GROUP
                                                 : HONE_EMU_BULK_MBARRIER,
                                 .to_global = by_group};
    if (!check_size(warp, insn, lane, bytes) ||
        !locate(warp, insn, lane, (uint32_t)bytes, &run, &target))
        return false;
    if (!by_group &&
        !hone_emu_bulk_shared(warp, insn, lane, read_address(warp, insn, 3, lane), 8, 8,
                              &owner, &bulk.mbarrier))
        return false;
    if (insn->op == EMU_BULKCAST)
        return hone_emu_bulk_cast(target, &bulk,
                                  (uint16_t)read_number(warp, insn, 4, lane));
    return hone_emu_bulk_start(owner, &bulk);
}

void hone_emu_bulk_copy(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        if (!start_lane(warp, insn, __builtin_ctz(m))) return;
}

// Caches are not emulated: what is prefetched is looked at only for its rules.
void hone_emu_bulk_prefetch(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint32_t bytes = (uint32_t)read_number(warp, insn, 1, lane);
        if (!check_size(warp, insn, lane, bytes) ||
            !find_global(warp, insn, lane, read_address(warp, insn, 0, lane), bytes,
                         false))
            return;
    }
}

void hone_emu_bulk_commit(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    tell_async(warp->block, &(struct hone_emu_async){.event = HONE_EMU_ASYNC_COMMITTED,
                                                     .unit = HONE_EMU_UNIT_BULK,
                                                     .warp = warp,
                                                     .insn = insn,
                                                     .lanes = warp->mask});
    for (uint32_t m = warp->mask; m; m &= m - 1)
        warp->units.bulk_groups.committed[__builtin_ctz(m)]++;
}

static bool is_due(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                   const struct hone_emu_bulk *bulk)
{
    const uint32_t committed = warp->units.bulk_groups.committed[bulk->lane];
    return bulk->end == HONE_EMU_BULK_GROUP && bulk->warp == warp &&
           warp->mask >> bulk->lane & 1 && bulk->group + (uint64_t)insn->imm < committed;
}

void hone_emu_bulk_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_block *block = warp->block;
    const bool only_read = insn->op == EMU_BULKWAITREAD;
    for (size_t k = 0; k < block->bulks.count;) {
        if (!is_due(warp, insn, &block->bulks.items[k]) ||
            (only_read && hone_emu_bulks_read(&block->bulks, k)))
            k++;
        else if (!make_listed(block, k))
            return;
    }
    tell_async(block, &(struct hone_emu_async){.event = HONE_EMU_ASYNC_WAITED,
                                               .unit = HONE_EMU_UNIT_BULK,
                                               .warp = warp,
                                               .insn = insn,
                                               .lanes = warp->mask,
                                               .in_flight = (uint64_t)insn->imm,
                                               .only_read = only_read});
}
