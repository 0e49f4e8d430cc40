// What becomes of undefined bits where they are used: a finding, or, of a branch or
// guard, a choice that the judge makes.
#include <stdio.h>

#include "check_state.h"
#include "waive.h"

// The lanes of mask where some of the bits are undefined.
static uint32_t undefined_lanes(const struct hone_emu_shadow *shadow, uint32_t offset,
                                uint32_t mask, uint64_t bits)
{
    uint32_t lanes = 0;
    for (uint32_t m = mask & hone_emu_unwritten(shadow->marks[offset / 4]); m;
         m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (hone_emu_undefined_bits(shadow, offset, lane) & bits)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

// " (first read at k.cu:8, PTX line 12)", where that is another line; or which shuffle
// took it from a lane that was not there.
static void word_first_read(char *text, size_t size, const struct hone_emu_code *code,
                            size_t site, uint32_t origin)
{
    char place[HONE_EMU_PLACE_TEXT];
    const uint32_t first = hone_emu_origin_site(origin);
    text[0] = '\0';
    if (first == 0 || first - 1 == site) return;
    hone_emu_print_place(place, code, first - 1);
    if (origin & HONE_EMU_ABSENT) {
        snprintf(text, size,
                 " (the shuffle at %s took it from a lane that was not there)", place);
        return;
    }
    const struct ptx_place *from = &code->places[first - 1], *here = &code->places[site];
    if (from->line == here->line && from->file == here->file &&
        (from->line || code->insns[first - 1].line == code->insns[site].line))
        return;
    snprintf(text, size, " (first read at %s)", place);
}

// What is wrong with a use of the register by the lowest of lanes: it was never written,
// or the race that it was loaded in.
static struct hone_fault describe_undefined(const struct hone_emu_checker *checker,
                                            const struct hone_emu_warp *warp,
                                            const struct hone_emu_insn *insn,
                                            uint32_t offset, uint32_t lanes,
                                            const char *what)
{
    const uint32_t origin = hone_emu_origin(&checker->shadows[warp->index], offset,
                                            (uint32_t)__builtin_ctz(lanes));
    const uint32_t race = hone_emu_origin_race(origin);
    char first[208];
    if (race) return *hone_emu_judge_race(checker->checks->judge, race);
    word_first_read(first, sizeof first, checker->code,
                    (size_t)(insn - checker->code->insns), origin);
    return hone_emu_describe(warp, insn, __builtin_ctz(lanes), HONE_WRONG_RESULT,
                             HONE_FINDING_UNWRITTEN,
                             "a value that was never written %s%s", what, first);
}

// A race is waived where it happens; this is of what was never written.
static bool is_waived(const struct hone_emu_checker *checker,
                      const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      uint32_t offset, uint32_t lanes, uint64_t address)
{
    const size_t site = (size_t)(insn - checker->code->insns);
    const struct hone_emu_suspect suspect = {HONE_FINDING_UNWRITTEN, site, site, address};
    return !hone_emu_origin_race(hone_emu_origin(&checker->shadows[warp->index], offset,
                                                 (uint32_t)__builtin_ctz(lanes))) &&
           hone_emu_waives(warp->launch, &suspect);
}

bool hone_emu_find_undefined(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             const struct hone_emu_use *use)
{
    const uint32_t lanes = undefined_lanes(&checker->shadows[warp->index], use->offset,
                                           use->mask, use->bits);
    if (lanes == 0) return false;
    const uint64_t address = use->addresses ? use->addresses[__builtin_ctz(lanes)] : 0;
    if (is_waived(checker, warp, insn, use->offset, lanes, address)) return false;
    struct hone_fault fault =
        describe_undefined(checker, warp, insn, use->offset, lanes, use->what);
    if (fault.finding == HONE_FINDING_UNWRITTEN)
        hone_emu_name_buffer(&fault, warp->launch, address);
    if (use->stays && hone_emu_scratch_is_large(checker->checks, address))
        hone_emu_judge_doubt(&fault, "may not matter, but its workspace is too large to "
                                     "follow: ");
    if (use->travels)
        hone_emu_judge_note_travel(checker->checks->judge, &fault);
    else if (use->stays)
        hone_emu_judge_note_stored(checker->checks->judge, &fault);
    else
        hone_emu_report(warp, &fault);
    return true;
}

// In which of lanes have guesses alone, values that the places had, made the predicate?
static uint32_t guessed_lanes(const struct hone_emu_shadow *shadow, uint32_t offset,
                              uint32_t lanes)
{
    uint32_t guessed = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (hone_emu_is_guess(shadow, hone_emu_origin(shadow, offset, lane)))
            guessed |= UINT32_C(1) << lane;
    }
    return guessed;
}

static struct hone_fault describe_choice(const struct hone_emu_checker *checker,
                                         const struct hone_emu_warp *warp,
                                         const struct hone_emu_insn *insn,
                                         uint32_t offset, uint32_t lanes)
{
    return describe_undefined(checker, warp, insn, offset, lanes,
                              insn->op == EMU_BRA ? "decides a branch"
                                                  : "guards an instruction");
}

void hone_emu_check_choice(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t offset,
                           uint32_t lanes)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    uint32_t word = hone_emu_first_word(warp, offset);
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    const uint32_t guessed = guessed_lanes(shadow, offset, lanes);
    shadow->marks[offset / 4] &= ~(hone_emu_marks)lanes;
    if (guessed && !hone_emu_judge_guess(judge)) {
        const struct hone_fault fault =
            describe_choice(checker, warp, insn, offset, guessed);
        hone_emu_judge_note_guess(judge, &fault);
    }
    lanes &= ~guessed;
    if (lanes == 0 || is_waived(checker, warp, insn, offset, lanes, 0)) return;
    if (!hone_emu_judge_choice(judge)) {
        const struct hone_fault fault =
            describe_choice(checker, warp, insn, offset, lanes);
        hone_emu_judge_note_choice(judge, &fault);
    }
    word = (word & ~lanes) |
           hone_emu_judge_choose(judge, (uint32_t)(insn - checker->code->insns), lanes,
                                 word);
    memcpy(warp->regs + offset, &word, sizeof word);
}
