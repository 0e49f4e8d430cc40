#include "exec_weave.h"

// Loads behind a strong access that may be interleaved too: what a lock guards is read
// and written there.
enum { LOOSE = 4 };

static bool is_access(const struct hone_emu_insn *insn)
{
    const bool shared = insn->space == PTX_GLOBAL || insn->space == PTX_SHARED ||
                        insn->space == PTX_GENERIC;
    return shared && (insn->op == EMU_LD || insn->op == EMU_ST || insn->op == EMU_ATOM);
}

static bool is_strong(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_ATOM || insn->order & ORDER_STRONG;
}

bool hone_emu_is_woven(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        if (is_access(insn) && is_strong(insn) && insn->dst_count > 0) return true;
    }
    return false;
}

void hone_emu_weave(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    if (!is_access(insn)) return;
    if (is_strong(insn))
        warp->loose = LOOSE;
    else if (insn->op != EMU_LD || warp->loose == 0)
        return;
    else
        warp->loose--;
    if (hone_rng_below(&warp->block->random, 2) == 0) return;
    warp->avoid = warp->mask;
    warp->limit = NULL;
}
