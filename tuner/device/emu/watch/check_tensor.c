// Tensor maps in device memory that the launch changes, by tensormap instructions or by
// stores: a copy may read what its block saw of them before, until a thread of the block
// has executed fence.proxy.tensormap::generic.acquire (PTX ISA 9.0, section 9.7.13.4).
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

void hone_emu_check_map(void *context, const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum hone_emu_map_event event,
                        uint32_t lane, uint64_t address)
{
    struct hone_emu_checker *checker = context;
    switch (event) {
    case HONE_EMU_MAP_CHANGED:
        note_change(checker->checks, warp, address,
                    (uint32_t)(insn - checker->code->insns));
        return;
    case HONE_EMU_MAP_ACQUIRED:
        note_acquire(checker, address);
        return;
    case HONE_EMU_MAP_USED:
        check_use(checker, warp, insn, lane, address);
        return;
    }
}
