// Operations on mbarrier objects (async/mbarrier.h), a lane at a time, in the order of
// lanes: those that arrive together may end a phase between them. Semantics: PTX ISA 9.0,
// section 9.7.13.15.
#include "exec_mbarrier.h"

#include <stdio.h>
#include <string.h>

#include "exec_bulk.h"
#include "exec_moment.h"

static uint32_t read_word(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, unsigned k, int lane)
{
    return (uint32_t)hone_emu_read_lane(warp, insn->src[k], lane, false);
}

// What may be done to an object of another block of the cluster, too.
static bool may_be_remote(const struct hone_emu_insn *insn)
{
    const bool counts = insn->op == EMU_MBARRIVE || insn->op == EMU_MBARRIVETX ||
                        insn->op == EMU_MBDROP || insn->op == EMU_MBDROPTX ||
                        insn->op == EMU_MBEXPECT || insn->op == EMU_MBLAND;
    return counts && (insn->cluster || insn->space == PTX_GENERIC);
}

// Where the object of each running lane is; false after a fault.
static bool locate_objects(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           struct hone_emu_place *at)
{
    enum { OBJECT_BYTES = 8 };
    const bool remote = may_be_remote(insn), wide = insn->wide & 0x80;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint64_t address =
            hone_emu_read_lane(warp, insn->src[0], lane, wide) + (uint64_t)insn->offset;
        if (!wide) address = (uint32_t)address;
        if (insn->space == PTX_GENERIC) {
            if ((address & HONE_EMU_WINDOW_MASK) != HONE_EMU_SHARED_WINDOW) {
                hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                               "an mbarrier that is not in shared memory");
                return false;
            }
            address -= HONE_EMU_SHARED_WINDOW;
        }
        if (!hone_emu_find_place(warp, insn, lane, address, OBJECT_BYTES, remote,
                                 &at[lane]))
            return false;
    }
    return true;
}

static void tell(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                 enum hone_emu_mbarrier_event event, int lane,
                 const struct hone_emu_place *at)
{
    const struct hone_emu_observer *observer = warp->block->observer;
    if (observer && observer->mbarrier)
        observer->mbarrier(observer->context, warp, insn, event, (uint32_t)lane, at);
}

// ---- misuse ----

static void describe_object(const struct hone_emu_warp *warp,
                            const struct hone_emu_place *at, char *out, size_t size)
{
    const struct hone_emu_arrivals *all = &at->block->arrivals;
    char place[HONE_EMU_PLACE_TEXT] = "", block[48] = "";
    for (size_t k = 0; k < all->object_count; k++)
        if (all->objects[k].at == at->offset)
            hone_emu_print_place(place, warp->launch->code, all->objects[k].site);
    if (at->block != warp->block)
        snprintf(block, sizeof block, " of block (%u,%u,%u)", at->block->id[0],
                 at->block->id[1], at->block->id[2]);
    snprintf(out, size, "mbarrier at shared+%llu%s%s%s%s", (unsigned long long)at->offset,
             block, place[0] ? " (initialised at " : "", place, place[0] ? ")" : "");
}

static bool report_misuse(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, const struct hone_emu_place *at,
                          enum hone_emu_mbarrier_misuse misuse)
{
    static const char *const texts[] = {
        [HONE_EMU_MBARRIER_DEAD] = "is not initialised (or was overwritten)",
        [HONE_EMU_MBARRIER_COUNT] = "counts 1 to 1048575 arrivals",
        [HONE_EMU_MBARRIER_TOO_MANY] = "gets more arrivals than its phase waits for",
        [HONE_EMU_MBARRIER_BYTES] = "counts at most 1048575 bytes a phase",
        [HONE_EMU_MBARRIER_COMPLETED] =
            "ends its phase by an arrival that says it does not (.noComplete)",
        [HONE_EMU_MBARRIER_NO_STATE] = "is waited for with what no arrival returned",
        [HONE_EMU_MBARRIER_LATE] =
            "is waited for with the state of a phase before the last one",
    };
    char object[256];
    if (misuse == HONE_EMU_MBARRIER_FINE) return true;
    describe_object(warp, at, object, sizeof object);
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_BARRIER, "%s %s", object,
                   texts[misuse]);
    return false;
}

// ---- operations ----

void hone_emu_mbarrier_begin(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_place at[HONE_EMU_LANES];
    if (!locate_objects(warp, insn, at)) return;
    struct hone_emu_block *block = warp->block;
    const uint32_t site = (uint32_t)(insn - warp->launch->code->insns);
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint64_t word = 0;
        tell(warp, insn, HONE_EMU_MBARRIER_BEGINS, lane, &at[lane]);
        if (!report_misuse(warp, insn, lane, &at[lane],
                           hone_emu_mbarrier_init(&word, read_word(warp, insn, 1, lane))))
            return;
        memcpy(block->shared + at[lane].offset, &word, sizeof word);
        hone_emu_arrivals_add_object(&block->arrivals, (uint32_t)at[lane].offset, site);
    }
    block->events++;
}

void hone_emu_mbarrier_invalidate(struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn)
{
    struct hone_emu_place at[HONE_EMU_LANES];
    if (!locate_objects(warp, insn, at)) return;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        tell(warp, insn, HONE_EMU_MBARRIER_GOES, lane, &at[lane]);
        memset(warp->block->shared + at[lane].offset, 0, 8);
        hone_emu_arrivals_drop_object(&warp->block->arrivals, (uint32_t)at[lane].offset);
    }
}

// One step of a lane at an object, which may be another block's; before: the word that
// it met. False after a fault.
static bool take_step(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      int lane, const struct hone_emu_place *at,
                      const struct hone_emu_mbarrier_step *step, uint64_t *before)
{
    struct hone_emu_block *block = at->block;
    uint64_t word;
    bool ended;
    memcpy(&word, block->shared + at->offset, sizeof word);
    *before = word;
    if (!report_misuse(warp, insn, lane, at, hone_emu_mbarrier_do(&word, step, &ended)))
        return false;
    memcpy(block->shared + at->offset, &word, sizeof word);
    block->events++;
    if (!ended) return true;
    hone_emu_arrivals_end_phase(&block->arrivals, (uint32_t)at->offset);
    tell(warp, insn, HONE_EMU_MBARRIER_ENDED, lane, at);
    return true;
}

bool hone_emu_mbarrier_landed(struct hone_emu_block *block, struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, int lane, uint32_t at,
                              uint32_t bytes)
{
    const struct hone_emu_mbarrier_step step = {
        .bytes = -(int64_t)bytes, .tests = true, .completes = true};
    const struct hone_emu_place place = {.block = block, .offset = at};
    uint64_t before;
    hone_emu_arrivals_land(&block->arrivals, at, bytes);
    return take_step(warp, insn, lane, &place, &step, &before);
}

static struct hone_emu_mbarrier_step step_of(const struct hone_emu_warp *warp,
                                             const struct hone_emu_insn *insn, int lane)
{
    const uint8_t op = insn->op;
    const bool bytes = op == EMU_MBARRIVETX || op == EMU_MBDROPTX;
    const bool counted = insn->src_count > 1 && !bytes;
    const uint32_t operand = insn->src_count > 1 ? read_word(warp, insn, 1, lane) : 0;
    if (op == EMU_MBEXPECT) return (struct hone_emu_mbarrier_step){.bytes = operand};
    if (op == EMU_MBLAND)
        return (struct hone_emu_mbarrier_step){
            .bytes = -(int64_t)operand, .tests = true, .completes = true};
    return (struct hone_emu_mbarrier_step){
        .bytes = bytes ? operand : 0,
        .arrivals = counted ? operand : 1,
        .drops = op == EMU_MBDROP || op == EMU_MBDROPTX || op == EMU_MBDROPNC,
        .tests = true,
        .completes = op != EMU_MBARRIVENC && op != EMU_MBDROPNC};
}

void hone_emu_mbarrier_count(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_place at[HONE_EMU_LANES];
    uint64_t before;
    const bool arrives = insn->op != EMU_MBEXPECT && insn->op != EMU_MBLAND;
    if (!locate_objects(warp, insn, at)) return;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const struct hone_emu_mbarrier_step step = step_of(warp, insn, lane);
        if (arrives && step.arrivals == 0) {
            report_misuse(warp, insn, lane, &at[lane], HONE_EMU_MBARRIER_COUNT);
            return;
        }
        tell(warp, insn, arrives ? HONE_EMU_MBARRIER_ARRIVES : HONE_EMU_MBARRIER_TOUCHED,
             lane, &at[lane]);
        if (!take_step(warp, insn, lane, &at[lane], &step, &before)) return;
        if (insn->dst_count) hone_emu_write_lane(warp, insn->dst[0], lane, true, before);
    }
}

// ---- arrivals that wait for copies ----

static const struct hone_emu_mbarrier_step one_arrival = {
    .arrivals = 1, .tests = true, .completes = true};

// The copies of the lane are made, and its arrival with them.
static bool land(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                 const struct hone_emu_place *at)
{
    uint64_t before;
    hone_emu_copies_wait(&warp->units.copies, warp->launch->memory, UINT32_C(1) << lane,
                         true, 0);
    return take_step(warp, insn, lane, at, &one_arrival, &before);
}

static bool land_all(struct hone_emu_block *block, uint64_t at)
{
    const struct hone_emu_place place = {.block = block, .offset = at};
    struct hone_emu_arrival arrival;
    while (hone_emu_arrivals_take(&block->arrivals, (uint32_t)at, &arrival))
        if (!land(&block->warps[arrival.warp], block->launch->code->insns + arrival.site,
                  (int)arrival.lane, &place))
            return false;
    return true;
}

void hone_emu_mbarrier_arrive_copied(struct hone_emu_warp *warp,
                                     const struct hone_emu_insn *insn)
{
    static const struct hone_emu_mbarrier_step one_more = {.more = 1};
    const bool late = warp->launch->copy_time == HONE_EMU_COPY_LAZY;
    struct hone_emu_place at[HONE_EMU_LANES];
    uint64_t before;
    if (!locate_objects(warp, insn, at)) return;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const struct hone_emu_arrival arrival = {
            .at = (uint32_t)at[lane].offset,
            .warp = warp->index,
            .lane = (uint32_t)lane,
            .site = (uint32_t)(insn - warp->launch->code->insns)};
        tell(warp, insn, HONE_EMU_MBARRIER_COPIED, lane, &at[lane]);
        if (insn->op == EMU_CPARRIVEINC &&
            !take_step(warp, insn, lane, &at[lane], &one_more, &before))
            return;
        if (late && hone_emu_arrivals_put_off(&warp->block->arrivals, &arrival)) continue;
        if (!land(warp, insn, lane, &at[lane])) return;
    }
}

// ---- waits ----

// False after a fault.
static bool ask(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                const struct hone_emu_place *at, bool *passed)
{
    enum hone_emu_mbarrier_misuse misuse;
    uint64_t word;
    memcpy(&word, warp->block->shared + at->offset, sizeof word);
    misuse = insn->op == EMU_MBPARITY
                 ? hone_emu_mbarrier_passed_parity(word, read_word(warp, insn, 1, lane),
                                                   passed)
                 : hone_emu_mbarrier_passed(
                       word, hone_emu_read_lane(warp, insn->src[1], lane, true), passed);
    return report_misuse(warp, insn, lane, at, misuse);
}

// try_wait waits for some time only.
static bool may_fail(const struct hone_emu_insn *insn)
{
    static const char name[] = "mbarrier.try_wait";
    return strncmp(hone_emu_forms[insn->form].name, name, sizeof name - 1) == 0;
}

// Does it fail for all lanes before copies that it needs have landed?
static bool fails_before(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         const struct hone_emu_place *at)
{
    const struct hone_emu_block *block = warp->block;
    return may_fail(insn) &&
           hone_emu_bulks_pending(&block->bulks, (uint32_t)at->offset) &&
           hone_emu_fails_early(warp->block);
}

static void pass(struct hone_emu_warp *warp, const struct hone_emu_insn *insn, int lane,
                 const struct hone_emu_place *at)
{
    hone_emu_arrivals_pass(&warp->block->arrivals, (uint32_t)at->offset);
    tell(warp, insn, HONE_EMU_MBARRIER_PASSED, lane, at);
}

void hone_emu_mbarrier_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_place at[HONE_EMU_LANES];
    uint32_t passed = 0, bits;
    if (!locate_objects(warp, insn, at)) return;
    const bool early = fails_before(warp, insn, &at[__builtin_ctz(warp->mask)]);
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        bool here = false;
        tell(warp, insn, HONE_EMU_MBARRIER_TOUCHED, lane, &at[lane]);
        if (!ask(warp, insn, lane, &at[lane], &here)) return;
        if (!here && !early &&
            (!land_all(warp->block, at[lane].offset) ||
             !hone_emu_bulk_land(warp->block, (uint32_t)at[lane].offset) ||
             !ask(warp, insn, lane, &at[lane], &here)))
            return;
        if (here && may_fail(insn) && hone_emu_fails_early(warp->block)) {
            here = false;
            warp->block->events++; // it comes to an end all the same
        }
        if (here) pass(warp, insn, lane, &at[lane]);
        passed |= (uint32_t)here << lane;
    }
    memcpy(&bits, warp->regs + insn->dst[0], sizeof bits);
    bits = (bits & ~warp->mask) | passed;
    memcpy(warp->regs + insn->dst[0], &bits, sizeof bits);
    if (passed == warp->mask) return;
    warp->avoid = warp->mask; // others go first
    warp->polled = true;
    warp->polled_at = (uint32_t)at[__builtin_ctz(warp->mask & ~passed)].offset;
    warp->limit = NULL;
}

void hone_emu_mbarrier_pending(struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint64_t state = hone_emu_read_lane(warp, insn->src[0], lane, true);
        const uint32_t pending = hone_emu_mbarrier_read(state).pending;
        hone_emu_write_lane(warp, insn->dst[0], lane, false, pending);
    }
}
