// Dependent launches: until griddepcontrol.wait has returned, the launch before may read
// and write all buffers but those inputs of which the script says that they are there
// early. The wait makes what it wrote visible to the whole grid (PTX ISA 9.0, section
// 9.7.13.13), so a thread may use it behind a wait of its own or one that it knows of.
#include <string.h>

#include "base/grow.h"
#include "check_state.h"
#include "waive.h"

bool hone_emu_waits_for_grid(const struct hone_emu_insn *insn)
{
    return strcmp(hone_emu_forms[insn->form].name, "griddepcontrol.wait") == 0;
}

void hone_emu_check_grid_wait(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp, uint32_t mask)
{
    struct hone_emu_checks *checks = checker->checks;
    const uint32_t lane =
        (mask & (mask - 1)) ? HONE_EMU_SEVERAL : (uint32_t)__builtin_ctz(mask);
    checker->after_grid[warp->index] |= mask;
    if (!checks->dependent) return;
    if (!HONE_GROW(&checks->grid_waits, &checks->grid_wait_cap,
                   checks->grid_wait_count + 1, 64)) {
        checks->scratch_status =
            hone_no_memory(&checks->scratch_error, "to follow a dependent launch");
        return;
    }
    checks->grid_waits[checks->grid_wait_count++] = (struct hone_emu_grid_wait){
        .block = checker->block,
        .world = hone_emu_global_races_world(checks->races),
        .stamp = hone_emu_stamp_make(&checker->order, warp->index, lane, false)};
}

void hone_emu_check_grid_answer(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp, uint32_t lane,
                                uint32_t mbarrier)
{
    if (checker->after_grid[warp->index] >> lane & 1) return;
    if (hone_emu_proxy_follows_grid(checker->proxy, mbarrier))
        hone_emu_check_grid_wait(checker, warp, UINT32_C(1) << lane);
}

static bool comes_before(const struct hone_emu_checker *checker,
                         const struct hone_emu_grid_wait *wait, uint32_t warp,
                         uint32_t lane)
{
    if (wait->block == checker->block)
        return hone_emu_ordered(&checker->order, wait->stamp, warp, lane);
    return hone_emu_global_races_ordered(checker->checks->races, wait->block, wait->stamp,
                                         wait->world, hone_emu_knower_of(checker, warp));
}

// Does the lane know of a wait? Of those of blocks that nobody watches nothing is known:
// who has heard of another block of the grid may know. What it has heard of its own
// cluster says nothing of them: whoever is watched is so with the whole cluster.
static bool knows_wait(struct hone_emu_checker *checker, uint32_t warp, uint32_t lane)
{
    const struct hone_emu_checks *checks = checker->checks;
    if (checker->after_grid[warp] >> lane & 1) return true;
    bool known =
        !checks->follows && checker->order.warps[warp].clocks[HONE_EMU_WORLD] > 0;
    for (size_t k = checks->grid_wait_count; k > 0 && !known; k--)
        known = comes_before(checker, &checks->grid_waits[k - 1], warp, lane);
    if (known) checker->after_grid[warp] |= UINT32_C(1) << lane;
    return known;
}

// The buffer that the address is in, where the launch before may use it.
static const struct hone_extent *find_late(const struct hone_emu_checker *checker,
                                           uint64_t address)
{
    const struct hone_launch *asked = checker->checks->launch->asked;
    for (size_t k = 0; k < asked->extent_count; k++) {
        const struct hone_extent *extent = &asked->extents[k];
        if (!extent->early && address - extent->base < extent->bytes) return extent;
    }
    return NULL;
}

static bool has_wait(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++)
        if (hone_emu_waits_for_grid(&code->insns[k])) return true;
    return false;
}

static void report_early(const struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane,
                         uint64_t address, bool writes)
{
    const struct hone_extent *extent = find_late(checker, address);
    const size_t site = (size_t)(insn - checker->code->insns);
    const struct hone_emu_suspect suspect = {HONE_FINDING_GRID_WAIT, site, site, address};
    if (!extent || hone_emu_waives(warp->launch, &suspect)) return;
    const bool waits = has_wait(checker->code);
    const struct hone_fault fault = hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_GRID_WAIT,
        "%s %s%s, which the launch before may still %s, %s griddepcontrol.wait",
        writes ? "store to" : "load of", extent->name ? "buffer " : "",
        extent->name ? extent->name : "a buffer", writes ? "use" : "write",
        waits ? "ahead of" : "without any");
    hone_emu_report(warp, &fault);
}

void hone_emu_check_early(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn,
                          const struct hone_emu_touch *touch)
{
    const uint32_t ahead = touch->mask & ~checker->after_grid[warp->index];
    for (uint32_t m = ahead; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (!knows_wait(checker, warp->index, lane))
            report_early(checker, warp, insn, lane, touch->addresses[lane],
                         touch->writes);
    }
}

void hone_emu_check_early_async(struct hone_emu_checker *checker,
                                const struct hone_emu_async *event)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(event->lanes);
    if (knows_wait(checker, event->warp->index, lane)) return;
    for (size_t k = 0; k < event->count; k++)
        if (!event->spans[k].block)
            report_early(checker, event->warp, event->insn, lane, event->spans[k].at,
                         event->spans[k].writes);
}
