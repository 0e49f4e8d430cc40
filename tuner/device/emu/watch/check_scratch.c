// Undefined bits in workspaces. Nobody reads a workspace once the launch is over, so
// they may lie there as in shared memory: whole structs are copied with their padding.
// They are known where all blocks are watched; else the launch has to be run again so.
#include <stdlib.h>

#include "base/host_memory.h"
#include "check_state.h"
#include "waive.h"
#include "watched.h"

static const uint64_t most_bytes = UINT64_C(1) << 28; // of a workspace that is followed

bool hone_emu_scratch_init(struct hone_emu_checks *checks)
{
    const struct hone_launch *asked = checks->launch->asked;
    checks->follows = hone_emu_judge_watches_all(checks->judge) ||
                      hone_emu_samples_all(checks->launch->grid);
    if (!asked || asked->extent_count == 0) return true;
    checks->scratch = calloc(asked->extent_count, sizeof *checks->scratch);
    if (!checks->scratch) return false;
    for (size_t i = 0; i < asked->extent_count; i++) {
        const struct hone_extent *extent = &asked->extents[i];
        if (extent->scratch && extent->bytes <= most_bytes)
            checks->scratch[checks->scratch_count++] =
                (struct hone_emu_scratch){.base = extent->base, .bytes = extent->bytes};
    }
    return true;
}

void hone_emu_scratch_fini(struct hone_emu_checks *checks)
{
    for (size_t i = 0; i < checks->scratch_count; i++) {
        if (!checks->scratch[i].flags) continue;
        free(checks->scratch[i].flags);
        hone_host_memory_release(checks->scratch[i].bytes);
    }
    free(checks->scratch);
}

static struct hone_emu_scratch *scratch_at(const struct hone_emu_checks *checks,
                                           uint64_t address)
{
    for (size_t i = 0; i < checks->scratch_count; i++)
        if (address - checks->scratch[i].base < checks->scratch[i].bytes)
            return &checks->scratch[i];
    return NULL;
}

uint8_t *hone_emu_scratch_flags(const struct hone_emu_checks *checks, uint64_t address)
{
    const struct hone_emu_scratch *scratch = scratch_at(checks, address);
    return scratch && scratch->flags ? scratch->flags + (address - scratch->base) : NULL;
}

uint32_t hone_emu_scratch_lanes(const struct hone_emu_checks *checks,
                                const struct hone_emu_touch *touch)
{
    uint32_t lanes = 0;
    for (uint32_t m = touch->all; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (hone_emu_scratch_flags(checks, touch->addresses[lane]))
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

// Without room for flags the launch tells nothing: its status says so.
static void make_flags(struct hone_emu_checks *checks, struct hone_emu_scratch *scratch)
{
    if (checks->scratch_status != HONE_OK) return;
    checks->scratch_status = hone_host_memory_claim(
        scratch->bytes, "to follow a workspace", &checks->scratch_error);
    if (checks->scratch_status != HONE_OK) return;
    scratch->flags = calloc(1, scratch->bytes);
    if (scratch->flags) return;
    hone_host_memory_release(scratch->bytes);
    checks->scratch_status =
        hone_no_memory(&checks->scratch_error, "to follow a workspace");
}

enum hone_status hone_emu_checks_status(const struct hone_emu_checks *checks,
                                        struct hone_error *err)
{
    return hone_error_pass(err, checks->scratch_status, &checks->scratch_error);
}

bool hone_emu_scratch_is_large(const struct hone_emu_checks *checks, uint64_t address)
{
    const struct hone_launch *asked = checks->launch->asked;
    for (size_t i = 0; asked && i < asked->extent_count; i++) {
        const struct hone_extent *extent = &asked->extents[i];
        if (extent->scratch && extent->bytes > most_bytes &&
            address - extent->base < extent->bytes)
            return true;
    }
    return false;
}

// Can it be noted what is undefined there?
static bool can_follow(struct hone_emu_checks *checks, uint64_t address)
{
    struct hone_emu_scratch *scratch = scratch_at(checks, address);
    if (!scratch || !checks->follows) return scratch;
    if (!scratch->flags) make_flags(checks, scratch);
    checks->scratch_used |= scratch->flags != NULL;
    return true;
}

bool hone_emu_scratch_take(struct hone_emu_checks *checks, uint64_t address,
                           const uint8_t *from, uint32_t bytes)
{
    if (checks->scratch_count == 0 || !can_follow(checks, address)) return false;
    uint8_t *flags = hone_emu_scratch_flags(checks, address);
    for (uint32_t k = 0; flags && k < bytes; k++)
        flags[k] = from[k] & (uint8_t)~BYTE_PENDING;
    return true;
}

uint32_t hone_emu_scratch_keeps(struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn,
                                const uint64_t *addresses)
{
    const hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    hone_emu_marks stored = 0;
    uint32_t lanes = 0;
    if (insn->op != EMU_ST || checker->checks->scratch_count == 0) return 0;
    for (unsigned k = 1; k < insn->src_count; k++)
        stored |= marks[insn->src[k] / 4];
    for (uint32_t m = warp->mask & hone_emu_unwritten(stored); m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        if (can_follow(checker->checks, addresses[lane])) lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

void hone_emu_scratch_refuse(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             uint64_t address)
{
    const size_t site = (size_t)(insn - checker->code->insns);
    const struct hone_emu_suspect suspect = {HONE_FINDING_UNWRITTEN, site, site, address};
    if (hone_emu_waives(warp->launch, &suspect)) return;
    struct hone_fault fault = hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_UNWRITTEN,
        "a value that was never written is changed by an atomic operation");
    hone_emu_name_buffer(&fault, warp->launch, address);
    hone_emu_judge_note_stored(checker->checks->judge, &fault);
}
