// Bytes of shared and local memory that were never written or hold what a GPU computes
// differently, copies that have not been waited for, and accesses for the races.
#include <stdio.h>
#include <stdlib.h>

#include "check_state.h"

struct hone_emu_pending {
    uint64_t address;
    uint32_t bytes, group, site;
    uint8_t warp, lane;
};

static bool writes(uint8_t op)
{
    return op == EMU_ST || op == EMU_ATOM || op == EMU_CPASYNC || op == EMU_STMATRIX;
}

static const char *what_of(uint8_t op)
{
    return op == EMU_CPASYNC ? "copy" : writes(op) ? "store" : "load";
}

// ---- flags of bytes ----

static inline uint8_t any_flags(const uint8_t *flags, uint32_t count)
{
    uint64_t word = 0, joined = 0;
    while (count >= 8) {
        memcpy(&word, flags, 8);
        joined |= word;
        flags += 8;
        count -= 8;
    }
    word = 0;
    memcpy(&word, flags, count);
    joined |= word;
    joined |= joined >> 32;
    joined |= joined >> 16;
    return (uint8_t)(joined | joined >> 8);
}

static inline uint8_t *flags_of(const struct hone_emu_checker *checker,
                                const struct hone_emu_warp *warp, enum ptx_space space,
                                uint32_t lane, uint64_t address)
{
    if (space == PTX_SHARED) return checker->shared + address;
    uint64_t thread = (uint64_t)warp->index * HONE_EMU_LANES + lane;
    return checker->local + thread * checker->local_bytes + address;
}

static hone_emu_marks marks_from(uint8_t flags, uint32_t lane)
{
    return (hone_emu_marks)(flags & BYTE_UNWRITTEN) << lane |
           (hone_emu_marks)(flags >> 1 & 1) << 32 << lane;
}

static uint8_t flags_from(hone_emu_marks marks, uint32_t lane)
{
    return (uint8_t)((marks >> lane & BYTE_UNWRITTEN) |
                     (marks >> 32 >> lane & 1) * BYTE_APPROXIMATE);
}

// The copy that the bytes wait for.
static uint32_t site_of_copy(const struct hone_emu_checker *checker, uint64_t address,
                             uint32_t bytes)
{
    for (size_t k = 0; k < checker->pending_count; k++) {
        const struct hone_emu_pending *copy = &checker->pending[k];
        if (copy->address < address + bytes && address < copy->address + copy->bytes)
            return copy->site;
    }
    return 0;
}

static void report_pending(const struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t lane,
                           uint64_t address, uint32_t bytes)
{
    char place[128];
    hone_emu_print_place(place, sizeof place, checker->code,
                         site_of_copy(checker, address, bytes));
    hone_emu_find(warp, insn, UINT32_C(1) << lane,
                  "missing wait of an asynchronous copy (%s): %s of its place", place,
                  what_of(insn->op));
}

static bool any_marked(const struct hone_emu_checker *checker,
                       const struct hone_emu_warp *warp, enum ptx_space space,
                       const struct hone_emu_touch *touch, uint32_t mask)
{
    uint8_t any = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        any |= any_flags(flags_of(checker, warp, space, lane, touch->addresses[lane]),
                         touch->bytes);
    }
    return any != 0;
}

// A load passes on what is known of the bytes, a store what is known of the registers.
static void move_marks(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, enum ptx_space space,
                       const struct hone_emu_touch *touch)
{
    hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    uint32_t parts = insn->op == EMU_LD || insn->op == EMU_ST ? insn->lanes : 1;
    uint32_t bytes = touch->bytes / parts;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t *flags = flags_of(checker, warp, space, lane, touch->addresses[lane]);
        uint8_t any = any_flags(flags, touch->bytes);
        if (any & BYTE_PENDING)
            report_pending(checker, warp, insn, lane, touch->addresses[lane],
                           touch->bytes);
        if (insn->op == EMU_ST) {
            for (uint32_t k = 0; k < parts; k++)
                memset(flags + k * bytes, flags_from(marks[insn->src[1 + k] / 4], lane),
                       bytes);
        } else if (insn->op == EMU_CPASYNC) {
            memset(flags, BYTE_PENDING, bytes);
        } else if (any) {
            for (uint32_t k = 0; k < parts && k < insn->dst_count; k++)
                marks[insn->dst[k] / 4] |=
                    marks_from(any_flags(flags + k * bytes, bytes), lane);
        }
    }
}

// ---- races ----

// Do both lanes, or the lane and memory, hold the same value for the bytes at address?
static bool stores_same(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        const struct hone_emu_touch *touch, const uint8_t *memory,
                        const struct hone_emu_conflict *conflict)
{
    if (insn->op != EMU_ST || !conflict->other_writes) return false;
    uint64_t base = touch->addresses[conflict->lane];
    uint32_t bytes = touch->bytes / insn->lanes;
    uint32_t part =
        (uint32_t)((conflict->address < base ? 0 : conflict->address - base) / bytes);
    const uint8_t *reg = warp->regs + insn->src[1 + part];
    size_t size = insn->wide >> part & 1 ? 8 : 4;
    const uint8_t *mine = reg + size * (size_t)conflict->lane;
    bool together = !conflict->other_block && conflict->other_warp == warp->index &&
                    conflict->other_site == touch->site && conflict->other_lane < 32;
    const uint8_t *theirs = together ? reg + size * (size_t)conflict->other_lane
                                     : memory + base + part * bytes;
    return memcmp(mine, theirs, bytes) == 0;
}

static void report_race(const struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum ptx_space space,
                        const struct hone_emu_conflict *conflict)
{
    char block[48] = "", place[128];
    const uint32_t *id = conflict->other_block;
    if (id) snprintf(block, sizeof block, "block (%u,%u,%u) ", id[0], id[1], id[2]);
    hone_emu_print_place(place, sizeof place, checker->code, conflict->other_site);
    hone_emu_find(warp, insn, UINT32_C(1) << conflict->lane,
                  "data race on %s memory: %s, %s of %swarp %u (%s)",
                  space == PTX_SHARED ? "shared" : "global", what_of(insn->op),
                  conflict->other_writes ? "store" : "load", block, conflict->other_warp,
                  place);
}

static bool touch_cells(struct hone_emu_checker *checker, enum ptx_space space,
                        const struct hone_emu_touch *touch,
                        struct hone_emu_conflict *conflict)
{
    if (space == PTX_SHARED)
        return hone_emu_races_touch(&checker->races, &checker->order, touch, conflict);
    return hone_emu_global_races_touch(checker->checks->races, checker->block,
                                       &checker->order, touch, conflict);
}

static void check_races(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, enum ptx_space space,
                        struct hone_emu_touch touch)
{
    struct hone_emu_conflict conflict;
    const uint8_t *memory = space == PTX_SHARED
                                ? warp->block->shared
                                : warp->launch->memory->host - HONE_EMU_DEVICE_BASE;
    while (touch_cells(checker, space, &touch, &conflict)) {
        if (!stores_same(warp, insn, &touch, memory, &conflict)) {
            report_race(checker, warp, insn, space, &conflict);
            return;
        }
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1); // go on with the next lane
    }
}

// ---- asynchronous copies ----

static bool make_room(struct hone_emu_checker *checker)
{
    if (checker->pending_count + HONE_EMU_LANES <= checker->pending_cap) return true;
    size_t cap = checker->pending_cap ? checker->pending_cap * 2 : 1024;
    void *grown = realloc(checker->pending, cap * sizeof *checker->pending);
    if (!grown) return false;
    checker->pending = grown;
    checker->pending_cap = cap;
    return true;
}

static void note_copies(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_touch *touch)
{
    if (!make_room(checker)) return; // then they count as waited for
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        checker->pending[checker->pending_count++] =
            (struct hone_emu_pending){.address = touch->addresses[lane],
                                      .bytes = touch->bytes,
                                      .group = checker->committed[warp->index][lane],
                                      .site = touch->site,
                                      .warp = (uint8_t)warp->index,
                                      .lane = (uint8_t)lane};
    }
}

void hone_emu_check_commit(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp, uint32_t mask)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        checker->committed[warp->index][l] += mask >> l & 1;
}

// The copy has been made now: as a store of the lane that waited for it.
static void complete(struct hone_emu_checker *checker,
                     const struct hone_emu_pending *copy)
{
    uint64_t addresses[HONE_EMU_LANES];
    struct hone_emu_conflict conflict;
    addresses[copy->lane] = copy->address;
    struct hone_emu_touch touch = {.warp = copy->warp,
                                   .mask = UINT32_C(1) << copy->lane,
                                   .bytes = copy->bytes,
                                   .site = copy->site,
                                   .addresses = addresses,
                                   .writes = true};
    // whoever came between issue and wait was told of it
    hone_emu_races_touch(&checker->races, &checker->order, &touch, &conflict);
    memset(checker->shared + copy->address, 0, copy->bytes);
}

void hone_emu_check_wait(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    bool all = hone_emu_forms[insn->form].operands[0] == '\0';
    size_t kept = 0;
    for (size_t k = 0; k < checker->pending_count; k++) {
        const struct hone_emu_pending copy = checker->pending[k];
        bool waits = copy.warp == warp->index && mask >> copy.lane & 1;
        bool due =
            copy.group + (uint64_t)insn->imm < checker->committed[warp->index][copy.lane];
        if (waits && (all || due))
            complete(checker, &copy);
        else
            checker->pending[kept++] = copy;
    }
    checker->pending_count = kept;
}

// ---- matrices ----

// Lane l moves elements 2 (l mod 4) and one more of row l / 4, of a transposed matrix
// those of its column, to or from register k.
static void check_part(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, unsigned k,
                       struct hone_emu_touch touch)
{
    hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    check_races(checker, warp, insn, PTX_SHARED, touch);
    for (uint32_t lane = 0; lane < HONE_EMU_LANES; lane++) {
        uint8_t *flags = checker->shared + touch.addresses[lane];
        uint8_t any = any_flags(flags, touch.bytes);
        if (any & BYTE_PENDING)
            report_pending(checker, warp, insn, lane, touch.addresses[lane], touch.bytes);
        if (touch.writes)
            memset(flags, flags_from(marks[insn->src[1 + k] / 4], lane), touch.bytes);
        else if (any)
            marks[insn->dst[k] / 4] |= marks_from(any, lane);
    }
}

static void check_matrix(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, const uint64_t *rows,
                         struct hone_emu_touch touch)
{
    uint64_t addresses[HONE_EMU_LANES];
    bool transposed = insn->mode == MODE_TRANS;
    touch.mask = UINT32_MAX;
    touch.bytes = transposed ? 2 : 4;
    for (unsigned k = 0; k < insn->lanes; k++)
        for (unsigned e = 0; e < (transposed ? 2U : 1U); e++) {
            for (unsigned l = 0; l < HONE_EMU_LANES; l++)
                addresses[l] = transposed ? rows[8 * k + 2 * (l % 4) + e] + 2 * (l / 4)
                                          : rows[8 * k + l / 4] + 4 * (l % 4);
            touch.addresses = addresses;
            check_part(checker, warp, insn, k, touch);
        }
}

// ---- accesses ----

static void check_global_store(const struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn)
{
    const hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    hone_emu_marks stored = 0;
    if (insn->op != EMU_ST && insn->op != EMU_ATOM) return;
    for (unsigned k = 1; k < insn->src_count; k++)
        stored |= marks[insn->src[k] / 4];
    uint32_t unwritten = hone_emu_unwritten(stored) & warp->mask;
    if (unwritten)
        hone_emu_find(warp, insn, unwritten,
                      "a value that was never written is stored to global memory");
}

// Is every address in its place? What is outside, or misaligned, is reported elsewhere.
static bool is_inside(const struct hone_emu_checker *checker, enum ptx_space space,
                      const struct hone_emu_touch *touch)
{
    uint64_t size = space == PTX_SHARED  ? checker->shared_bytes
                    : space == PTX_LOCAL ? checker->local_bytes
                                         : UINT64_MAX;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint64_t at = touch->addresses[__builtin_ctz(m)];
        if (at > size || touch->bytes > size - at || at & (touch->bytes - 1))
            return false;
    }
    return true;
}

// One lane for each address, as far as a small table tells, and which of them stand for
// several.
static uint32_t distinct_lanes(const struct hone_emu_touch *touch, uint32_t *several)
{
    uint8_t table[64] = {0}; // lane + 1
    uint32_t distinct = 0;
    int shift = __builtin_ctz(touch->bytes);
    *several = 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t *slot = &table[touch->addresses[lane] >> shift & 63];
        if (*slot && touch->addresses[*slot - 1] == touch->addresses[lane]) {
            *several |= UINT32_C(1) << (*slot - 1);
            continue;
        }
        distinct |= UINT32_C(1) << lane;
        if (!*slot) *slot = (uint8_t)(lane + 1);
    }
    return distinct;
}

static void check_shared(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, struct hone_emu_touch *touch)
{
    if (insn->op != EMU_LD) {
        check_races(checker, warp, insn, PTX_SHARED, *touch);
        move_marks(checker, warp, insn, PTX_SHARED, touch);
        if (insn->op == EMU_CPASYNC) note_copies(checker, warp, touch);
        return;
    }
    uint32_t all = touch->mask;
    touch->mask = distinct_lanes(touch, &touch->several);
    check_races(checker, warp, insn, PTX_SHARED, *touch);
    bool marked = any_marked(checker, warp, PTX_SHARED, touch, touch->mask);
    touch->mask = all;
    if (marked) move_marks(checker, warp, insn, PTX_SHARED, touch);
}

// Lanes whose bytes are in a buffer: asynchronous copies may name more than they read.
static uint32_t in_buffers(const struct hone_emu_checker *checker,
                           const struct hone_emu_touch *touch)
{
    const struct hone_emu_memory *memory = checker->checks->launch->memory;
    uint32_t inside = 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        bool found = hone_emu_memory_at(memory, touch->addresses[lane], touch->bytes);
        inside |= (uint32_t)found << lane;
    }
    return inside;
}

void hone_emu_check_access(void *context, const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, enum ptx_space space,
                           const uint64_t *addresses, uint32_t bytes)
{
    struct hone_emu_checker *checker = context;
    if (space != PTX_SHARED && space != PTX_LOCAL && space != PTX_GLOBAL) return;
    struct hone_emu_touch touch = {
        .warp = warp->index,
        .mask = warp->mask,
        .bytes = bytes,
        .site = (uint32_t)(insn - checker->code->insns),
        .addresses = addresses,
        .writes = writes(insn->op) && (insn->op != EMU_CPASYNC || space == PTX_SHARED),
        .strong = insn->order & ORDER_STRONG || insn->op == EMU_ATOM};
    if (!is_inside(checker, space, &touch)) return;
    if (space == PTX_GLOBAL) {
        check_global_store(checker, warp, insn);
        touch.mask = in_buffers(checker, &touch);
        check_races(checker, warp, insn, space, touch);
    } else if (insn->op == EMU_LDMATRIX || insn->op == EMU_STMATRIX) {
        check_matrix(checker, warp, insn, addresses, touch);
    } else if (space == PTX_SHARED) {
        check_shared(checker, warp, insn, &touch);
    } else {
        move_marks(checker, warp, insn, space, &touch);
    }
}
