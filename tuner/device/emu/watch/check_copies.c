// Asynchronous copies that their lanes have not waited for.
#include <stdlib.h>

#include "base/grow.h"
#include "check_state.h"
#include "waive.h"

const struct hone_emu_pending *
hone_emu_check_find_copy(const struct hone_emu_checker *checker, uint64_t address,
                         uint32_t bytes, uint32_t *warp)
{
    for (*warp = 0; *warp < checker->warps; ++*warp)
        for (size_t k = 0; k < checker->pending[*warp].count; k++) {
            const struct hone_emu_pending *copy = &checker->pending[*warp].items[k];
            if (copy->address < address + bytes && address < copy->address + copy->bytes)
                return copy;
        }
    return NULL;
}

// Bytes that a copy is to fill, by their flags: most spans have none.
static bool is_pending(const uint8_t *flags, uint32_t bytes)
{
    uint64_t word, joined = 0;
    uint32_t k = 0;
    for (; k + sizeof word <= bytes; k += (uint32_t)sizeof word) {
        memcpy(&word, flags + k, sizeof word);
        joined |= word;
    }
    for (; k < bytes; k++)
        joined |= flags[k];
    return joined & UINT64_C(0x0101010101010101) * BYTE_PENDING;
}

// An asynchronous operation meets a copy of its own block. False: it is waived.
static bool report_own(const struct hone_emu_checker *checker,
                       const struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       uint32_t lane, const struct hone_emu_span *span,
                       const struct hone_emu_pending *copy)
{
    char text[HONE_REASON_MAX];
    const enum hone_finding finding = hone_emu_word_pending(
        text, sizeof text, checker, warp, insn, lane, span->at, span->bytes);
    const struct hone_emu_suspect suspect = {
        finding, (size_t)(insn - checker->code->insns), copy->site, 0};
    if (hone_emu_waives(warp->launch, &suspect)) return false;
    const struct hone_fault fault =
        hone_emu_describe(warp, insn, (int)lane, HONE_WRONG_RESULT, finding, "%s", text);
    hone_emu_report(warp, &fault);
    return true;
}

bool hone_emu_check_meets_copy(struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn, uint32_t lane,
                               const struct hone_emu_span *span)
{
    const struct hone_emu_checker *target = hone_emu_checker_of(span->block);
    uint32_t owner;
    if (!checker->checks->copies || !is_pending(target->shared + span->at, span->bytes))
        return false;
    const struct hone_emu_pending *copy =
        hone_emu_check_find_copy(target, span->at, span->bytes, &owner);
    if (!copy) return false; // it is not followed
    if (target == checker) return report_own(checker, warp, insn, lane, span, copy);
    return hone_emu_report_meeting(checker, warp, insn, lane, HONE_FINDING_MISSING_WAIT,
                                   copy->site,
                                   "missing wait of an asynchronous copy (#) in another "
                                   "block of the cluster: access to its place");
}

// Copies of a warp that are followed, at most: later ones count as waited for.
enum { MOST_PENDING = 1 << 14 };

static bool make_room(struct hone_emu_pending_list *list)
{
    const size_t need = list->count + HONE_EMU_LANES;
    return need <= MOST_PENDING && HONE_GROW(&list->items, &list->cap, need, 256);
}

void hone_emu_check_copies(struct hone_emu_checker *checker,
                           const struct hone_emu_touch *touch)
{
    struct hone_emu_pending_list *list = &checker->pending[touch->warp];
    if (!make_room(list)) return; // then they count as waited for
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        list->items[list->count++] =
            (struct hone_emu_pending){.address = touch->addresses[lane],
                                      .bytes = touch->bytes,
                                      .group = checker->committed[touch->warp][lane],
                                      .site = touch->site,
                                      .lane = (uint8_t)lane};
    }
}

void hone_emu_check_copied(struct hone_emu_checker *checker, uint32_t warp, uint32_t lane,
                           uint32_t bytes, uint32_t origin)
{
    struct hone_emu_pending_list *list = &checker->pending[warp];
    size_t k = list->count;
    while (k > 0 && list->items[k - 1].lane != lane)
        k--;
    if (k == 0) return;
    struct hone_emu_pending *copy = &list->items[k - 1];
    if (!copy->undefined || origin) copy->origin = (uint8_t)origin;
    copy->undefined |= (uint16_t)bytes;
}

void hone_emu_check_commit(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp, uint32_t mask)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        checker->committed[warp->index][l] += mask >> l & 1;
}

// Copies of one instruction that are over now. told: they count as stores of their lanes
// at this moment; else they did before, from the clocks on.
struct batch {
    struct hone_emu_touch touch;
    uint64_t addresses[HONE_EMU_LANES];
    uint32_t clocks[HONE_EMU_LANES];
    uint8_t origins[HONE_EMU_LANES]; // of what is undefined of them
    uint16_t undefined[HONE_EMU_LANES];
    bool told, landed;
};

static void set_flags(struct hone_emu_checker *checker, const struct batch *batch,
                      uint32_t lane)
{
    uint8_t *flags = checker->shared + batch->addresses[lane];
    memset(flags, 0, batch->touch.bytes);
    for (uint32_t m = batch->undefined[lane]; m; m &= m - 1) {
        const uint32_t byte = (uint32_t)__builtin_ctz(m);
        if (byte < batch->touch.bytes)
            flags[byte] = (uint8_t)(BYTE_UNWRITTEN | (unsigned)batch->origins[lane]
                                                         << BYTE_ORIGIN_SHIFT);
    }
}

// What an asynchronous operation reads there now has to come behind the end of the copy.
static void set_cell(struct hone_emu_checker *checker, const struct batch *batch,
                     uint32_t lane)
{
    const uint32_t warp = batch->touch.warp;
    const uint32_t now = checker->order.warps[warp].clocks[warp];
    const struct hone_emu_proxy_store store = {
        .stamp = hone_emu_stamp_at(batch->told ? now : batch->clocks[lane], warp, lane),
        .site = batch->touch.site,
        .landed = batch->told ? 0 : now};
    // a copy has at most 16 bytes, at a multiple of its size: they are in one cell
    hone_emu_proxy_store(checker->proxy, &checker->order,
                         hone_emu_proxy_cell(checker->proxy, batch->addresses[lane]),
                         &store);
}

static void tell_races(struct hone_emu_checker *checker, struct hone_emu_touch *touch)
{
    struct hone_emu_conflict conflict;
    // whoever came between issue and wait was told of it
    if (checker->checks->clustered) hone_emu_check_cluster_copied(checker, touch);
    while (touch->mask &&
           hone_emu_races_touch(&checker->races, &checker->order, touch, &conflict))
        touch->mask &= ~((UINT32_C(2) << conflict.lane) - 1);
}

static void complete(struct hone_emu_checker *checker, struct batch *batch)
{
    struct hone_emu_touch *touch = &batch->touch;
    touch->addresses = batch->addresses;
    for (uint32_t m = batch->landed ? touch->mask : 0; m; m &= m - 1) {
        set_flags(checker, batch, (uint32_t)__builtin_ctz(m));
        if (checker->proxy) set_cell(checker, batch, (uint32_t)__builtin_ctz(m));
    }
    if (batch->told) tell_races(checker, touch);
    touch->mask = 0;
}

static void add(struct hone_emu_checker *checker, struct batch *batch, uint32_t warp,
                const struct hone_emu_pending *copy)
{
    struct hone_emu_touch *touch = &batch->touch;
    if (touch->mask >> copy->lane || touch->site != copy->site) complete(checker, batch);
    touch->warp = warp;
    touch->mask |= UINT32_C(1) << copy->lane;
    touch->bytes = copy->bytes;
    touch->site = copy->site;
    touch->writes = true;
    batch->addresses[copy->lane] = copy->address;
    batch->clocks[copy->lane] = copy->clock;
    batch->origins[copy->lane] = copy->origin;
    batch->undefined[copy->lane] = copy->undefined;
}

// ---- waits of the thread that copies ----

void hone_emu_check_wait(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    struct hone_emu_pending_list *list = &checker->pending[warp->index];
    bool all = hone_emu_forms[insn->form].operands[0] == '\0';
    struct batch batch = {.told = true, .landed = true}, arrived = {.landed = true};
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        const struct hone_emu_pending copy = list->items[k];
        bool due =
            copy.group + (uint64_t)insn->imm < checker->committed[warp->index][copy.lane];
        if (mask >> copy.lane & 1 && (all || due))
            add(checker, copy.clock ? &arrived : &batch, warp->index, &copy);
        else
            list->items[kept++] = copy;
    }
    complete(checker, &batch);
    complete(checker, &arrived);
    list->count = kept;
    checker->waited[warp->index] = checker->order.warps[warp->index].clocks[warp->index];
}

// ---- arrivals at mbarrier objects ----

void hone_emu_check_arrived(struct hone_emu_checker *checker, uint32_t warp,
                            uint32_t lane, struct hone_emu_phases *phases)
{
    struct hone_emu_pending_list *list = &checker->pending[warp];
    struct batch batch = {.told = true, .landed = !phases};
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        struct hone_emu_pending copy = list->items[k];
        const bool comes = copy.lane == lane && copy.clock == 0;
        if (comes) {
            add(checker, &batch, warp, &copy);
            copy.clock = checker->order.warps[warp].clocks[warp];
            copy.object = phases ? phases->at : 0;
            copy.phase = phases ? phases->ends : 0;
        }
        if (!comes || phases) list->items[kept++] = copy;
    }
    complete(checker, &batch);
    list->count = kept;
}

static void land(struct hone_emu_checker *checker, uint32_t warp,
                 const struct hone_emu_phases *phases)
{
    struct hone_emu_pending_list *list = &checker->pending[warp];
    struct batch batch = {.landed = true};
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++) {
        const struct hone_emu_pending copy = list->items[k];
        if (copy.clock && copy.object == phases->at && copy.phase < phases->ends)
            add(checker, &batch, warp, &copy);
        else
            list->items[kept++] = copy;
    }
    complete(checker, &batch);
    list->count = kept;
}

void hone_emu_check_landed(struct hone_emu_checker *checker,
                           struct hone_emu_phases *phases)
{
    if (phases->landed == phases->ends) return; // somebody has waited before
    phases->landed = phases->ends;
    for (uint32_t w = 0; w < checker->warps; w++)
        land(checker, w, phases);
}

uint32_t hone_emu_check_oldest_arrival(const struct hone_emu_checker *checker,
                                       uint32_t warp)
{
    const struct hone_emu_pending_list *list = &checker->pending[warp];
    uint32_t oldest = 0;
    for (size_t k = 0; k < list->count; k++) {
        const uint32_t clock = list->items[k].clock;
        if (clock && (!oldest || clock < oldest)) oldest = clock;
    }
    return oldest;
}
