// wgmma in checked launches: what is known of the results of products.
#include "check_state.h"
#include "fidelity.h"

static bool adds(const struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    const uint32_t scale = hone_emu_first_word(warp, insn->src[HONE_EMU_WGMMA_SCALE]);
    return (scale != 0) != (insn->negate >> HONE_EMU_WGMMA_SCALE & 1);
}

// Lanes that have a row of which some lane of A's registers has the mark.
static uint32_t spread_quads(uint32_t lanes)
{
    uint32_t any = (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111;
    return any * 15;
}

// Registers of D and of A have rows lane / 4 and, in turn, those plus 8.
static hone_emu_marks marks_of_rows(const struct hone_emu_wgmma *wgmma,
                                    const hone_emu_marks *marks, unsigned half)
{
    hone_emu_marks a = 0;
    for (unsigned r = half; r < wgmma->a_count; r += 2)
        a |= marks[wgmma->regs[wgmma->d_count + r] / 4];
    return (hone_emu_marks)spread_quads(hone_emu_approximate(a)) << 32 |
           spread_quads(hone_emu_unwritten(a));
}

void hone_emu_check_product(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = hone_emu_wgmma_of(checker->code, insn);
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    if (!wgmma) return;
    const bool keeps = adds(warp, insn);
    const unsigned each = insn->type == PTX_F16 ? 1 : 2; // of a row, in turn
    const hone_emu_marks more =
        hone_emu_is_approximate(insn) ? (hone_emu_marks)UINT32_MAX << 32 : 0;
    const hone_emu_marks rows[2] = {marks_of_rows(wgmma, shadow->marks, 0),
                                    marks_of_rows(wgmma, shadow->marks, 1)};
    for (unsigned r = 0; r < wgmma->d_count; r++) {
        hone_emu_marks *at = &shadow->marks[wgmma->regs[r] / 4];
        const hone_emu_marks now = rows[r / each & 1] | more | (keeps ? *at : 0);
        *at = now & ~(hone_emu_marks)UINT32_MAX;
        for (uint32_t m = hone_emu_unwritten(now); m; m &= m - 1)
            hone_emu_set_undefined(shadow, wgmma->regs[r], (uint32_t)__builtin_ctz(m),
                                   UINT64_MAX, 0);
    }
}
