// Tensor maps in device memory that the launch changes, by tensormap instructions or by
// stores: a copy may read what its block saw of them before, until a thread of the block
// has executed fence.proxy.tensormap::generic.acquire (PTX ISA 9.0, section 9.7.13.4).
// And copies by them that may still read a map while it changes.
#include "base/grow.h"
#include "check_state.h"
#include "hone/tensor_map.h"
#include "waive.h"

// The map's last change in the launch; NULL: there was none.
static struct hone_emu_map_change *find_change(const struct hone_emu_checks *checks,
                                               uint64_t address)
{
    for (size_t k = 0; k < checks->change_count; k++)
        if (checks->changes[k].address == address) return &checks->changes[k];
    return NULL;
}

static void note_change(struct hone_emu_checks *checks, const struct hone_emu_warp *warp,
                        uint64_t address, uint32_t site)
{
    struct hone_emu_map_change *change = find_change(checks, address);
    if (!change &&
        !HONE_GROW(&checks->changes, &checks->change_cap, checks->change_count + 1, 16)) {
        checks->scratch_status =
            hone_no_memory(&checks->scratch_error, "to follow a tensor map");
        return;
    }
    if (!change) change = &checks->changes[checks->change_count++];
    *change = (struct hone_emu_map_change){
        .address = address, .number = ++checks->change_number, .site = site};
    memcpy(change->block, warp->block->id, sizeof change->block);
}

// What the block has acquired of the map last.
static struct hone_emu_map_acquire *find_acquired(const struct hone_emu_checker *checker,
                                                  uint64_t address)
{
    for (size_t k = 0; k < checker->acquired_count; k++)
        if (checker->acquired[k].address == address) return &checker->acquired[k];
    return NULL;
}

static void note_acquire(struct hone_emu_checker *checker, uint64_t address)
{
    struct hone_emu_checks *checks = checker->checks;
    const struct hone_emu_map_acquire now = {
        .address = address,
        .number = checks->change_number,
        .accesses = hone_emu_global_races_now(checks->races)};
    struct hone_emu_map_acquire *acquired = find_acquired(checker, address);
    if (acquired) {
        *acquired = now;
    } else if (HONE_GROW(&checker->acquired, &checker->acquired_cap,
                         checker->acquired_count + 1, 16)) {
        checker->acquired[checker->acquired_count++] = now;
    } else {
        checks->scratch_status =
            hone_no_memory(&checks->scratch_error, "to follow a tensor map");
    }
}

static void report_change(const struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t lane,
                          const uint32_t *block, uint32_t site)
{
    char place[HONE_EMU_PLACE_TEXT];
    const struct hone_emu_suspect suspect = {
        HONE_FINDING_TENSOR_MAP, (size_t)(insn - checker->code->insns), site, 0};
    if (hone_emu_waives(warp->launch, &suspect)) return;
    hone_emu_print_place(place, checker->code, site);
    const struct hone_fault fault = hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_TENSOR_MAP,
        "a tensor map that block (%u,%u,%u) changed at %s is used without "
        "fence.proxy.tensormap::generic.acquire by this block since",
        block[0], block[1], block[2], place);
    hone_emu_report(warp, &fault);
}

static void check_use(const struct hone_emu_checker *checker,
                      const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      uint32_t lane, uint64_t address)
{
    const struct hone_emu_map_change *change = find_change(checker->checks, address);
    const struct hone_emu_map_acquire *acquired = find_acquired(checker, address);
    struct hone_emu_store store;
    if (change && (!acquired || acquired->number < change->number))
        report_change(checker, warp, insn, lane, change->block, change->site);
    else if (hone_emu_global_races_stored_since(
                 checker->checks->races, address, HONE_MAP_BYTES,
                 acquired ? acquired->accesses : 0, &store))
        report_change(checker, warp, insn, lane, store.block, store.site);
}

// ---- copies in flight ----

static const char in_flight[] =
    "the tensor map changes while a copy (#) may still read it: this thread does not "
    "know of the end of that";

// Has the copy read its map, as far as the warp knows?
static bool has_read(const struct hone_emu_order *order,
                     const struct hone_emu_map_use *use,
                     const struct hone_emu_proxy_op *op, uint32_t warp)
{
    return (use->read &&
            (op->warp == warp || order->warps[warp].clocks[op->warp] > use->read)) ||
           hone_emu_proxy_knows(order, op->read_known, warp) ||
           hone_emu_proxy_received(op);
}

// The bytes at address change; true where something was found.
static bool change_meets(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane,
                         uint64_t address, uint32_t bytes)
{
    for (size_t k = 0; checker->proxy && k < HONE_EMU_MAP_USES; k++) {
        const struct hone_emu_map_use *use = &checker->map_uses.list[k];
        if (!use->number || address >= use->map + HONE_MAP_BYTES ||
            use->map >= address + bytes)
            continue;
        const struct hone_emu_proxy_op *op =
            hone_emu_proxy_find(checker->proxy, use->number);
        if (op && !has_read(&checker->order, use, op, warp->index) &&
            hone_emu_report_meeting(checker, warp, insn, lane, HONE_FINDING_IN_FLIGHT,
                                    op->site, in_flight))
            return true;
    }
    return false;
}

void hone_emu_check_map_store(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn,
                              const struct hone_emu_touch *touch)
{
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (change_meets(checker, warp, insn, lane, touch->addresses[lane], touch->bytes))
            return;
    }
}

// The instruction may read a map in parameters this time, of which nobody tells.
static void note_use(struct hone_emu_map_uses *uses, const struct hone_emu_async *event)
{
    if (!event->again && !uses->is_new) uses->insn = NULL;
    uses->is_new = false;
    if (event->insn == uses->insn)
        uses->list[uses->count++ % HONE_EMU_MAP_USES] =
            (struct hone_emu_map_use){.map = uses->map, .number = event->number};
}

void hone_emu_check_map_async(struct hone_emu_checker *checker,
                              const struct hone_emu_async *event)
{
    struct hone_emu_map_uses *uses = &checker->map_uses;
    const uint32_t warp = event->warp->index;
    if (event->unit != HONE_EMU_UNIT_BULK) return;
    if (event->event == HONE_EMU_ASYNC_ISSUED) note_use(uses, event);
    if (event->event != HONE_EMU_ASYNC_WAITED || !uses->count) return;
    for (size_t k = 0; k < HONE_EMU_MAP_USES; k++) {
        struct hone_emu_map_use *use = &uses->list[k];
        const struct hone_emu_proxy_op *op =
            use->number ? hone_emu_proxy_find(checker->proxy, use->number) : NULL;
        if (op && !use->read && hone_emu_proxy_covers_group(checker->proxy, event, op))
            use->read = checker->order.warps[warp].clocks[warp];
    }
}

void hone_emu_check_map(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum hone_emu_map_event event,
                        uint32_t lane, uint64_t address)
{
    struct hone_emu_checker *checker = context;
    switch (event) {
    case HONE_EMU_MAP_CHANGED:
        change_meets(checker, warp, insn, lane, address, HONE_MAP_BYTES);
        note_change(checker->checks, warp, address,
                    (uint32_t)(insn - checker->code->insns));
        return;
    case HONE_EMU_MAP_ACQUIRED:
        note_acquire(checker, address);
        return;
    case HONE_EMU_MAP_USED:
        checker->map_uses.map = address;
        checker->map_uses.insn = insn;
        checker->map_uses.is_new = true;
        check_use(checker, warp, insn, lane, address);
        return;
    }
}
