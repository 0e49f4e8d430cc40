// What is said of accesses that nothing orders: what they are, whom they meet, and what
// is missing between them where that is clear; and of operations that meet others.
#include <stdio.h>

#include "check_state.h"
#include "waive.h"

static const char *what_of(uint8_t op)
{
    switch (op) {
    case EMU_CPASYNC:
        return "copy";
    case EMU_BULKLOAD:
    case EMU_BULKCAST:
    case EMU_BULKPEER:
    case EMU_BULKSTORE:
        return "bulk copy";
    case EMU_TMALOAD:
    case EMU_TMACAST:
    case EMU_TMASTORE:
        return "copy by tensor map";
    case EMU_WGMMA:
        return "product";
    case EMU_MAPREPLACE:
    case EMU_MAPPUBLISH:
        return "change of a tensor map";
    case EMU_ST:
    case EMU_ATOM:
    case EMU_STMATRIX:
        return "store";
    case EMU_LD:
    case EMU_LDMATRIX:
        return "load";
    case EMU_STASYNC:
    case EMU_REDASYNC:
        return "asynchronous store";
    default:
        return "mbarrier operation";
    }
}

// ---- asynchronous copies ----

// Has the warp waited for copies since all warps met last? Then what others copied is
// theirs to wait for, before a barrier.
static bool has_waited(const struct hone_emu_checker *checker, uint32_t warp)
{
    return checker->waited[warp] > checker->order.floor;
}

static enum hone_finding word_copy(char *text, size_t size,
                                   const struct hone_emu_insn *insn, const char *place,
                                   const char *missing)
{
    const bool waits = missing == NULL;
    snprintf(text, size, "missing %s of an asynchronous copy (%s): %s of its place",
             waits ? "wait" : missing, place, what_of(insn->op));
    return waits ? HONE_FINDING_MISSING_WAIT : HONE_FINDING_RACE;
}

enum hone_finding hone_emu_word_pending(char *text, size_t size,
                                        const struct hone_emu_checker *checker,
                                        const struct hone_emu_warp *warp,
                                        const struct hone_emu_insn *insn, uint32_t lane,
                                        uint64_t address, uint32_t bytes)
{
    char place[HONE_EMU_PLACE_TEXT];
    uint32_t owner = 0;
    const struct hone_emu_pending *copy =
        hone_emu_check_find_copy(checker, address, bytes, &owner);
    hone_emu_print_place(place, checker->code, copy ? copy->site : 0);
    const bool own = copy && owner == warp->index && copy->lane == lane;
    return word_copy(text, size, insn, place,
                     !own && has_waited(checker, warp->index) ? "barrier after the wait"
                                                              : NULL);
}

// ---- accesses that meet ----

enum hone_finding hone_emu_kind_of_conflict(const struct hone_emu_insn *insn,
                                            const struct hone_emu_conflict *conflict)
{
    if (conflict->other_read_only || insn->order & ORDER_READ_ONLY)
        return HONE_FINDING_READ_ONLY_DATA;
    return conflict->other_strong && hone_emu_is_strong(insn) ? HONE_FINDING_SCOPE
                                                              : HONE_FINDING_RACE;
}

static enum hone_finding word_read_only(char *text, size_t size,
                                        const struct hone_emu_conflict *conflict,
                                        const char *whom)
{
    if (conflict->other_read_only)
        snprintf(text, size,
                 "store of what the launch loads as read-only data: load (.nc) of %s",
                 whom);
    else
        snprintf(text, size,
                 "read-only load (.nc) of what the launch stores: store of %s", whom);
    return HONE_FINDING_READ_ONLY_DATA;
}

// "atomic of block scope (.cta)"
static void name_strong(char *text, size_t size, const struct hone_emu_insn *insn)
{
    const char *scope = insn->order & ORDER_BLOCK     ? " of block scope (.cta)"
                        : insn->order & ORDER_CLUSTER ? " of cluster scope (.cluster)"
                                                      : "";
    snprintf(text, size, "%s%s", insn->op == EMU_ATOM ? "atomic" : what_of(insn->op),
             scope);
}

static enum hone_finding word_scope(char *text, size_t size,
                                    const struct hone_emu_insn *insn,
                                    const struct hone_emu_insn *other_insn,
                                    const char *whom)
{
    char own[56], other[56];
    name_strong(own, sizeof own, insn);
    name_strong(other, sizeof other, other_insn);
    snprintf(text, size, "%s meets %s of %s", own, other, whom);
    return HONE_FINDING_SCOPE;
}

// Was the copy to this place waited for, by who made it?
static bool is_finished_copy(const struct hone_emu_checker *checker, enum ptx_space space,
                             const struct hone_emu_insn *other,
                             const struct hone_emu_conflict *conflict)
{
    return space == PTX_SHARED && !conflict->other_block && other->op == EMU_CPASYNC &&
           conflict->other_writes && !(checker->shared[conflict->address] & BYTE_PENDING);
}

static enum hone_finding word_finished_copy(char *text, size_t size,
                                            const struct hone_emu_checker *checker,
                                            const struct hone_emu_warp *warp,
                                            const struct hone_emu_insn *insn,
                                            const struct hone_emu_conflict *conflict)
{
    char place[HONE_EMU_PLACE_TEXT];
    const bool same = conflict->other_warp == warp->index;
    hone_emu_print_place(place, checker->code, conflict->other_site);
    return word_copy(text, size, insn, place,
                     same ? "__syncwarp after the wait" : "barrier after the wait");
}

// Has some lane of the other warp told of a moment behind the access, but another one
// than that which made it?
static bool was_told_in_part(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_conflict *conflict)
{
    const uint32_t other = conflict->other_warp;
    return conflict->other_clock && other != warp->index &&
           checker->order.warps[warp->index].clocks[other] >= conflict->other_clock;
}

// Has the instruction of the other access done the like in a third warp, of which nobody
// has told this one at all? Then lanes that meet before they tell are not enough.
static bool is_of_untold_warps(const struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_conflict *conflict)
{
    const struct hone_emu_races *races = &checker->races;
    const hone_emu_stamp *stamps = conflict->other_writes ? races->write : races->read;
    const uint32_t *sites = conflict->other_writes ? races->write_site : races->read_site;
    const uint32_t *told = checker->order.warps[warp->index].clocks;
    uint32_t untold = 0, partly = 1U << warp->index | 1U << conflict->other_warp;
    for (size_t k = 0; k < races->cell_count; k++) {
        const uint32_t by = hone_emu_stamp_warp(stamps[k]);
        if (!stamps[k] || sites[k] != conflict->other_site) continue;
        *(told[by] < hone_emu_stamp_clock(stamps[k]) ? &untold : &partly) |= 1U << by;
    }
    return (untold & ~partly) != 0;
}

// What would order two accesses of a block, or NULL where one instruction made both.
static const char *missing_between(const struct hone_emu_checker *checker,
                                   const struct hone_emu_warp *warp,
                                   const struct hone_emu_insn *insn, enum ptx_space space,
                                   const struct hone_emu_conflict *conflict)
{
    if (conflict->other_block &&
        checker->code->insns[conflict->other_site].op == EMU_MBINIT)
        return "fence.mbarrier_init and barrier.cluster";
    if (conflict->other_block) return space == PTX_SHARED ? "barrier.cluster" : NULL;
    if (was_told_in_part(checker, warp, conflict))
        return space == PTX_SHARED && is_of_untold_warps(checker, warp, conflict)
                   ? "barrier (a __syncwarp before one lane's arrival or fence orders "
                     "its warp alone)"
                   : "__syncwarp before the arrival or fence of one lane";
    if (conflict->other_warp != warp->index) return "barrier";
    return insn == &checker->code->insns[conflict->other_site] ? NULL : "__syncwarp";
}

// "block (1,0,0) warp 2 (k.cu:8, PTX line 12)"
static void name_other(char *text, size_t size, const struct hone_emu_checker *checker,
                       const struct hone_emu_conflict *conflict)
{
    char place[HONE_EMU_PLACE_TEXT], block[48] = "";
    const uint32_t *id = conflict->other_block;
    if (id) snprintf(block, sizeof block, "block (%u,%u,%u) ", id[0], id[1], id[2]);
    hone_emu_print_place(place, checker->code, conflict->other_site);
    snprintf(text, size, "%swarp %u (%s)", block, conflict->other_warp, place);
}

enum hone_finding
hone_emu_word_conflict(char *text, size_t size, const struct hone_emu_checker *checker,
                       const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       enum ptx_space space, const struct hone_emu_conflict *conflict)
{
    char whom[224];
    const struct hone_emu_insn *other = &checker->code->insns[conflict->other_site];
    name_other(whom, sizeof whom, checker, conflict);
    const enum hone_finding kind = hone_emu_kind_of_conflict(insn, conflict);
    if (kind == HONE_FINDING_READ_ONLY_DATA)
        return word_read_only(text, size, conflict, whom);
    if (kind == HONE_FINDING_SCOPE) return word_scope(text, size, insn, other, whom);
    if (is_finished_copy(checker, space, other, conflict))
        return word_finished_copy(text, size, checker, warp, insn, conflict);
    // each access stands before its place: that of insn follows this text
    const char *missing = missing_between(checker, warp, insn, space, conflict);
    snprintf(text, size, "data race on %s memory: %s of %s and%s%s%s %s",
             space == PTX_SHARED ? "shared" : "global",
             conflict->other_writes ? what_of(other->op) : "load", whom,
             missing ? ", without a " : "", missing ? missing : "",
             missing ? " between them," : "", what_of(insn->op));
    return HONE_FINDING_RACE;
}

// ---- operations that meet ----

bool hone_emu_report_meeting(const struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             enum hone_finding finding, uint32_t other_site,
                             const char *format)
{
    char place[HONE_EMU_PLACE_TEXT];
    const struct hone_emu_suspect suspect = {
        finding, (size_t)(insn - checker->code->insns), other_site, 0};
    if (hone_emu_waives(warp->launch, &suspect)) return false;
    hone_emu_print_place(place, checker->code, other_site);
    char text[HONE_REASON_MAX];
    const char *sign = strchr(format, '#');
    snprintf(text, sizeof text, "%.*s%s%s", (int)(sign - format), format, place,
             sign + 1);
    const struct hone_fault fault =
        hone_emu_describe(warp, insn, (int)lane, HONE_WRONG_RESULT, finding, "%s", text);
    hone_emu_report(warp, &fault);
    return true;
}
