// mbarrier objects: who arrives tells what it knows, who passes learns what those of the
// phases that have ended knew; and an object is to be initialised before others use it,
// and not to be stored to.
#include "base/grow.h"
#include "check_state.h"

enum { OBJECT_BYTES = 8 };

static struct hone_emu_phases *find_phases(const struct hone_emu_checker *checker,
                                           uint32_t at)
{
    for (size_t k = 0; k < checker->phase_count; k++)
        if (checker->phases[k].at == at) return &checker->phases[k];
    return NULL;
}

// The object begins: nobody has arrived.
static void begin_phases(struct hone_emu_checker *checker, uint32_t at)
{
    struct hone_emu_phases *phases = find_phases(checker, at);
    struct hone_emu_checks *checks = checker->checks;
    if (!phases &&
        !HONE_GROW(&checker->phases, &checker->phase_cap, checker->phase_count + 1, 16)) {
        checks->scratch_status =
            hone_no_memory(&checks->scratch_error, "to follow an mbarrier");
        return;
    }
    if (!phases) phases = &checker->phases[checker->phase_count++];
    *phases = (struct hone_emu_phases){.at = at};
}

// To initialise an object is a plain store to its bytes, all else a strong access.
static void touch_object(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane, uint32_t at,
                         bool strong)
{
    uint64_t addresses[HONE_EMU_LANES];
    for (int l = 0; l < HONE_EMU_LANES; l++)
        addresses[l] = at;
    const struct hone_emu_touch touch = {.warp = warp->index,
                                         .mask = UINT32_C(1) << lane,
                                         .all = UINT32_C(1) << lane,
                                         .bytes = OBJECT_BYTES,
                                         .site = (uint32_t)(insn - checker->code->insns),
                                         .addresses = addresses,
                                         .writes = true,
                                         .strong = strong,
                                         .narrow = true};
    hone_emu_check_races(checker, warp, insn, PTX_SHARED, &touch, 0);
}

// .relaxed orders nothing; without a word it is .release or .acquire.
static bool orders(const struct hone_emu_insn *insn)
{
    return !(insn->order & ORDER_STRONG) || insn->order & (ORDER_ACQUIRE | ORDER_RELEASE);
}

static void release(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn, uint32_t at)
{
    struct hone_emu_phases *phases = find_phases(checker, at);
    if (phases && orders(insn))
        hone_emu_order_release(&checker->order, warp->index, &phases->now);
}

void hone_emu_check_mbarrier(void *context, const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             enum hone_emu_mbarrier_event event, uint32_t lane,
                             uint32_t at)
{
    struct hone_emu_checker *checker = context;
    struct hone_emu_phases *phases = find_phases(checker, at);
    switch (event) {
    case HONE_EMU_MBARRIER_BEGINS:
        touch_object(checker, warp, insn, lane, at, false);
        memset(checker->shared + at, 0, OBJECT_BYTES);
        begin_phases(checker, at);
        return;
    case HONE_EMU_MBARRIER_GOES: // libcu++ ends objects after a match of lanes alone
    case HONE_EMU_MBARRIER_TOUCHED:
        touch_object(checker, warp, insn, lane, at, true);
        return;
    case HONE_EMU_MBARRIER_ARRIVES:
        touch_object(checker, warp, insn, lane, at, true);
        release(checker, warp, insn, at);
        return;
    case HONE_EMU_MBARRIER_COPIED:
        touch_object(checker, warp, insn, lane, at, true);
        hone_emu_check_landed(checker, warp->index, lane);
        release(checker, warp, insn, at);
        return;
    case HONE_EMU_MBARRIER_ENDED:
        if (phases) hone_emu_order_join(&phases->ended, &phases->now);
        return;
    case HONE_EMU_MBARRIER_PASSED:
        if (phases && orders(insn))
            hone_emu_order_acquire(&checker->order, warp->index, lane, &phases->ended);
        return;
    }
}
