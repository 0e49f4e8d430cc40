// Waits at mbarrier objects that tell of another phase than the one that is needed: of an
// earlier one, so that they pass at once, or of one after it, which they have missed.
#include <stdio.h>

#include "check_state.h"

// A parity does not tell a phase from the next but one: who asks again after both have
// ended waits for a third. Who has waited for others elsewhere between two looks may know
// from them what it looked for: the next look is a new question.
void hone_emu_check_question(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             struct hone_emu_phases *phases)
{
    struct hone_emu_question *asked = &phases->asked[warp->index];
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    const uint32_t parity =
        (uint32_t)hone_emu_read_lane(warp, insn->src[1], (int)lane, false);
    const uint32_t waits = checker->waits[warp->index];
    if (asked->site != site + 1 || asked->parity != parity || asked->waits != waits)
        *asked = (struct hone_emu_question){site + 1, parity, phases->ends, waits};
    if (phases->ends - asked->ends < 2) return;
    asked->ends = phases->ends;
    const struct hone_fault fault = hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_PHASE,
        "the wait has missed the phase of its parity: two phases have ended since it "
        "was first asked for");
    hone_emu_report(warp, &fault);
}

void hone_emu_check_answer(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t lane,
                           struct hone_emu_phases *phases)
{
    const uint32_t w = warp->index;
    if (checker->proxy && phases->seen[w] != phases->ends)
        hone_emu_proxy_passed(checker->proxy, &checker->order, w, phases->at);
    if (checker->proxy && checker->checks->dependent)
        hone_emu_check_grid_answer(checker, warp, lane, phases->at);
    const bool is_new = phases->heard[w][lane] != phases->ends;
    phases->stale[w] = is_new ? 0 : (uint32_t)(insn - checker->code->insns) + 1;
    phases->heard[w][lane] = phases->ends;
    phases->seen[w] = phases->ends;
    phases->asked[w].site = 0;
    checker->waits[w]++;
}

// ---- what a wait would have told ----

// The wait at the operation's object that has passed in the warp last, number of the
// instruction and 1, if it told nothing new.
static uint32_t stale_wait(const struct hone_emu_checker *checker, uint32_t warp,
                           const struct hone_emu_proxy_op *op)
{
    const struct hone_emu_phases *phases =
        op->by_group ? NULL : hone_emu_check_phases(checker, op->mbarrier);
    return phases ? phases->stale[warp] : 0;
}

bool hone_emu_report_unwaited(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, uint32_t lane,
                              const struct hone_emu_proxy_op *op, const char *what)
{
    char text[HONE_REASON_MAX];
    const uint32_t stale = stale_wait(checker, warp->index, op);
    const char *copy = op->sent_bytes ? "what another block of the cluster sends"
                                      : "an asynchronous copy";
    if (stale) {
        char place[HONE_EMU_PLACE_TEXT];
        hone_emu_print_place(place, checker->code, stale - 1);
        snprintf(text, sizeof text,
                 "the wait (%s) tells of an earlier phase than that of %s (#): it passed "
                 "at once: %s of its place",
                 place, copy, what);
        return hone_emu_report_meeting(checker, warp, insn, lane, HONE_FINDING_PHASE,
                                       op->site, text);
    }
    snprintf(text, sizeof text, "missing wait of %s (#)%s: %s of its place", copy,
             op->ended
                 ? ", whose phase has ended: this thread waited for an earlier one, "
                   "or for none"
                 : "",
             what);
    return hone_emu_report_meeting(checker, warp, insn, lane, HONE_FINDING_MISSING_WAIT,
                                   op->site, text);
}
