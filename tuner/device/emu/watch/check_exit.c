// The end of a block: its shared memory may be another block's at once, so no bulk copy
// may write it any more, and no other block of its cluster use it. A bulk store to device
// memory that still reads it is no finding: PTX does not speak of it, and kernels that
// are relied on end so (DeepGEMM); the fidelity tells.
#include "check_state.h"

// The copy is named where it begins, in the thread that began it.
static void check_copies(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    const struct hone_emu_proxy_op *op = hone_emu_proxy_open(checker->proxy);
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    if (!op) return;
    if (op->sent_bytes)
        hone_emu_report_meeting(checker, warp, insn, (uint32_t)__builtin_ctz(warp->mask),
                                HONE_FINDING_PEER, op->site,
                                "the block exits, and no thread of it has waited for "
                                "what another block of the cluster sends (#)");
    else
        hone_emu_report_meeting(
            checker, &warp->block->warps[op->warp], checker->code->insns + op->site,
            op->lane, HONE_FINDING_IN_FLIGHT, site,
            op->writes ? "the block exits (#) while the copy may still write its shared "
                         "memory: no thread has waited for it"
                       : "the block exits (#) while the copy may still read its shared "
                         "memory: the block that it goes to has not waited for it");
}

void hone_emu_check_exit(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t leaving = (uint32_t)__builtin_popcount(mask);
    if (warp->block->exited + leaving == warp->block->threads) {
        if (checker->checks->clustered) hone_emu_check_leave(checker, warp, insn);
        if (checker->proxy) check_copies(checker, warp, insn);
        if (checker->proxy && hone_emu_proxy_stores_on(checker->proxy))
            checker->checks->reached |= HONE_EMU_REACHED_END;
    }
    hone_emu_order_exit(&checker->order, warp->index);
}
