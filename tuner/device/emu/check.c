// Watches a block: which bytes and which lanes of registers have been written, and, with
// race.c, who touched shared memory when. A value never written may be moved and computed
// with; it is a finding once it decides something.
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "race.h"

struct hone_emu_checker {
    struct hone_emu_observer observer;
    const struct hone_emu_code *code;
    struct hone_emu_races races;
    uint32_t warps;
    uint32_t words;    // of a warp's register file
    uint32_t *written; // [warp][word of the register file]: lanes, at a register's first
    uint8_t *shared, *local; // of each byte: written?
    uint64_t shared_bytes, local_bytes;
};

// ---- registers ----

static uint32_t *written_of(const struct hone_emu_checker *checker, uint32_t warp)
{
    return checker->written + (size_t)warp * checker->words;
}

static uint32_t first_word(const struct hone_emu_warp *warp, uint32_t offset)
{
    uint32_t word;
    memcpy(&word, warp->regs + offset, sizeof word);
    return word;
}

// Lanes that the instruction runs for, and whether its guard is known for all of them.
static uint32_t running(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn)
{
    if (insn->guard == HONE_EMU_NO_GUARD) return warp->mask;
    uint32_t guard = first_word(warp, insn->guard);
    return warp->mask & (insn->guard_negated ? ~guard : guard);
}

// Writable access to a warp that the observer is told of.
static struct hone_emu_warp *own(const struct hone_emu_warp *warp)
{
    return &warp->block->warps[warp->index];
}

static void report_unwritten(const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lanes,
                             const char *where)
{
    hone_emu_fault(own(warp), insn, __builtin_ctz(lanes), HONE_WRONG_RESULT,
                   "a value that was never written %s", where);
}

static bool crosses_lanes(uint8_t op)
{
    return op == EMU_SHUFFLE || op == EMU_VOTE || op == EMU_MATCH || op == EMU_REDUX ||
           op == EMU_ELECT || op == EMU_ACTIVEMASK || op == EMU_BARRED ||
           op == EMU_LDMATRIX || op == EMU_MOVMATRIX || op == EMU_MMA;
}

// The lanes for which the result is made of written values only.
static uint32_t known_lanes(const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, const uint32_t *written)
{
    uint32_t known = UINT32_MAX;
    if (crosses_lanes(insn->op)) return known;
    if (insn->op == EMU_SELP) {
        uint32_t first = first_word(warp, insn->src[2]);
        if (insn->negate >> 2 & 1) first = ~first;
        known =
            (written[insn->src[0] / 4] & first) | (written[insn->src[1] / 4] & ~first);
        return known & written[insn->src[2] / 4];
    }
    for (unsigned k = 0; k < insn->src_count; k++)
        known &= written[insn->src[k] / 4];
    return known;
}

static bool is_barrier(uint8_t op)
{
    return op == EMU_BARSYNC || op == EMU_BARARRIVE || op == EMU_BARRED;
}

// What decides where a warp goes and what it touches must be known.
static void check_decision(const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, const uint32_t *written,
                           uint32_t mask)
{
    enum hone_emu_class class = hone_emu_forms[insn->form].class;
    uint32_t known = UINT32_MAX;
    const char *where = "is an address";
    if (insn->op == EMU_BRA && insn->src_count) {
        known = written[insn->src[0] / 4];
        where = "decides a branch";
    } else if (is_barrier(insn->op)) {
        known = written[insn->src[0] / 4];
        where = "names a barrier";
    } else if (insn->src_count && (class == HONE_EMU_GLOBAL || class == HONE_EMU_ATOMIC ||
                                   insn->op == EMU_CPASYNC)) {
        known = written[insn->src[0] / 4];
        if (insn->op == EMU_CPASYNC) known &= written[insn->src[1] / 4];
    }
    if (mask & ~known) report_unwritten(warp, insn, mask & ~known, where);
}

static bool is_fence(const struct hone_emu_insn *insn)
{
    const char *name = hone_emu_forms[insn->form].name;
    return insn->op == EMU_NOP &&
           (strcmp(name, "membar") == 0 || strcmp(name, "fence") == 0);
}

// bar.warp.sync runs again until all its lanes are there: only then is it an order.
static bool completes_sync(const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn, uint32_t mask)
{
    if (insn->op != EMU_WARPSYNC || mask == 0) return false;
    const uint8_t *lanes = warp->regs + insn->src[0];
    uint32_t wanted;
    memcpy(&wanted, lanes + 4 * (size_t)__builtin_ctz(mask), sizeof wanted);
    return (wanted & warp->alive & ~mask) == 0;
}

static void check_step(void *context, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn)
{
    struct hone_emu_checker *checker = context;
    uint32_t *written = written_of(checker, warp->index), mask = warp->mask;
    if (insn->guard != HONE_EMU_NO_GUARD) {
        uint32_t unknown = mask & ~written[insn->guard / 4];
        if (unknown) report_unwritten(warp, insn, unknown, "guards an instruction");
        mask = running(warp, insn);
    }
    check_decision(warp, insn, written, mask);
    uint32_t known = insn->dst_count ? known_lanes(warp, insn, written) : 0;
    for (unsigned k = 0; k < insn->dst_count; k++) {
        uint32_t *lanes = &written[insn->dst[k] / 4];
        *lanes = (*lanes & ~mask) | (known & mask);
    }
    if (insn->op == EMU_EXIT && mask)
        hone_emu_races_exit(&checker->races, warp->index);
    else if (is_fence(insn))
        hone_emu_races_fence(&checker->races, warp->index);
    else if (completes_sync(warp, insn, mask))
        hone_emu_races_sync_warp(&checker->races, warp->index);
}

static void check_barrier(void *context, const struct hone_emu_warp *warp, uint32_t id,
                          bool flag)
{
    struct hone_emu_checker *checker = context;
    if (warp)
        hone_emu_races_arrive(&checker->races, warp->index, id, flag);
    else
        hone_emu_races_open(&checker->races, id, flag);
}

// ---- memory ----

static bool writes(uint8_t op)
{
    return op == EMU_ST || op == EMU_ATOM || op == EMU_CPASYNC || op == EMU_STMATRIX;
}

static bool all_written(const uint8_t *bytes, size_t count)
{
    return !memchr(bytes, 0, count);
}

// The written-flags of a lane's bytes; NULL where none are kept.
static uint8_t *flags_of(const struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp, enum ptx_space space,
                         uint32_t lane, uint64_t address)
{
    if (space == PTX_SHARED) return checker->shared + address;
    uint64_t thread = (uint64_t)warp->index * HONE_EMU_LANES + lane;
    return checker->local + thread * checker->local_bytes + address;
}

// Have all bytes between the lowest and the highest address been written?
static bool span_written(const struct hone_emu_checker *checker,
                         const struct hone_emu_touch *touch)
{
    enum { WORTHWHILE = 1024 }; // bytes
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint64_t at = touch->addresses[__builtin_ctz(m)];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    if (!touch->mask || high - low > WORTHWHILE) return false;
    return all_written(checker->shared + low, (size_t)(high - low) + touch->bytes);
}

// A load passes on what is known of the bytes, a store what is known of the registers.
static void note_written(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, enum ptx_space space,
                         const struct hone_emu_touch *touch)
{
    uint32_t *written = written_of(checker, warp->index);
    bool copies = insn->op == EMU_LD || insn->op == EMU_ST;
    uint32_t parts = copies ? insn->lanes : 1, bytes = touch->bytes / parts;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), bit = UINT32_C(1) << lane;
        uint8_t *flags = flags_of(checker, warp, space, lane, touch->addresses[lane]);
        for (uint32_t k = 0; k < parts; k++, flags += bytes) {
            if (insn->op == EMU_ST)
                memset(flags, (written[insn->src[1 + k] / 4] & bit) != 0, bytes);
            else if (writes(insn->op) && insn->op != EMU_ATOM)
                memset(flags, 1, bytes);
            else if (insn->op != EMU_LDMATRIX && insn->dst_count > k &&
                     !all_written(flags, bytes))
                written[insn->dst[k] / 4] &= ~bit;
        }
    }
}

// Do both lanes, or the lane and memory, hold the same value for the bytes at address?
static bool stores_same(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn,
                        const struct hone_emu_touch *touch,
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
    bool together = conflict->other_warp == warp->index &&
                    conflict->other_line == insn->line && conflict->other_lane < 32;
    const uint8_t *theirs = together ? reg + size * (size_t)conflict->other_lane
                                     : warp->block->shared + base + part * bytes;
    return memcmp(mine, theirs, bytes) == 0;
}

static void check_races(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, struct hone_emu_touch touch)
{
    struct hone_emu_conflict conflict;
    while (hone_emu_races_touch(&checker->races, &touch, &conflict)) {
        if (!stores_same(warp, insn, &touch, &conflict)) {
            hone_emu_fault(own(warp), insn, conflict.lane, HONE_WRONG_RESULT,
                           "data race on shared memory: %s, %s of warp %u (PTX line %u)",
                           touch.writes ? "store" : "load",
                           conflict.other_writes ? "store" : "load", conflict.other_warp,
                           conflict.other_line);
            return;
        }
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1); // go on with the next lane
    }
}

static void check_global_store(const struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn)
{
    const uint32_t *written = written_of(checker, warp->index);
    uint32_t known = UINT32_MAX;
    if (insn->op != EMU_ST && insn->op != EMU_ATOM) return;
    for (unsigned k = 1; k < insn->src_count; k++)
        known &= written[insn->src[k] / 4];
    if (warp->mask & ~known)
        report_unwritten(warp, insn, warp->mask & ~known, "is stored to global memory");
}

static void check_access(void *context, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, enum ptx_space space,
                         const uint64_t *addresses, uint32_t bytes)
{
    struct hone_emu_checker *checker = context;
    if (space == PTX_GLOBAL) check_global_store(checker, warp, insn);
    if (space != PTX_SHARED && space != PTX_LOCAL) return;
    uint64_t size = space == PTX_SHARED ? checker->shared_bytes : checker->local_bytes;
    struct hone_emu_touch touch = {.warp = warp->index,
                                   .mask = warp->mask,
                                   .bytes = bytes,
                                   .line = insn->line,
                                   .addresses = addresses,
                                   .writes = writes(insn->op),
                                   .strong = insn->strong || insn->op == EMU_ATOM};
    for (uint32_t m = touch.mask; m;
         m &= m - 1) { // what is outside is reported elsewhere
        uint64_t at = addresses[__builtin_ctz(m)];
        if (at > size || bytes > size - at) return;
    }
    if (space == PTX_SHARED) check_races(checker, warp, insn, touch);
    if (space == PTX_SHARED && insn->op == EMU_LD && span_written(checker, &touch))
        return;
    note_written(checker, warp, insn, space, &touch);
}

// ---- a checker ----

// The smallest shared access, so that neighbours are not taken for one.
static uint32_t smallest_access(const struct hone_emu_code *code)
{
    uint32_t least = 4;
    for (size_t k = 0; k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        uint32_t bytes = ptx_type_bits((enum ptx_type)insn->type) / 8 * insn->lanes;
        if ((insn->op == EMU_LD || insn->op == EMU_ST) &&
            (insn->space == PTX_SHARED || insn->space == PTX_GENERIC) && bytes < least)
            least = bytes;
    }
    return least ? least : 1;
}

enum hone_status hone_emu_checker_new(struct hone_emu_checker **out,
                                      const struct hone_emu_launch *launch,
                                      struct hone_error *err)
{
    const struct hone_emu_code *code = launch->code;
    struct hone_emu_checker *checker = calloc(1, sizeof *checker);
    if (!checker) return hone_fail(err, HONE_ENOMEM, "out of memory");
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    checker->observer = (struct hone_emu_observer){.context = checker,
                                                   .step = check_step,
                                                   .access = check_access,
                                                   .barrier = check_barrier};
    checker->code = code;
    checker->warps = (threads + HONE_EMU_LANES - 1) / HONE_EMU_LANES;
    checker->words = code->register_bytes / 4 + 1;
    checker->shared_bytes = code->dynamic_shared_at + launch->shared_bytes;
    checker->local_bytes = code->local_bytes;
    checker->written =
        calloc((size_t)checker->warps * checker->words, sizeof *checker->written);
    checker->shared = calloc(1, (size_t)checker->shared_bytes + 1);
    checker->local =
        calloc((size_t)checker->warps * HONE_EMU_LANES, (size_t)code->local_bytes + 1);
    bool made = hone_emu_races_init(&checker->races, checker->shared_bytes,
                                    smallest_access(code));
    *out = checker;
    if (made && checker->written && checker->shared && checker->local) return HONE_OK;
    hone_emu_checker_free(checker);
    *out = NULL;
    return hone_fail(err, HONE_ENOMEM, "out of memory");
}

void hone_emu_checker_free(struct hone_emu_checker *checker)
{
    if (!checker) return;
    hone_emu_races_fini(&checker->races);
    free(checker->written);
    free(checker->shared);
    free(checker->local);
    free(checker);
}

void hone_emu_checker_begin(struct hone_emu_checker *checker)
{
    const struct hone_emu_code *code = checker->code;
    hone_emu_races_begin(&checker->races);
    memset(checker->shared, 0, (size_t)checker->shared_bytes);
    memset(checker->local, 0,
           (size_t)checker->warps * HONE_EMU_LANES * (size_t)checker->local_bytes);
    for (uint32_t w = 0; w < checker->warps; w++) {
        uint32_t *written = written_of(checker, w);
        memset(written, 0, checker->words * sizeof *written);
        for (size_t k = 0; k < code->constant_count; k++)
            written[code->constants[k].reg / 4] = UINT32_MAX;
        for (size_t k = 0; k < code->special_count; k++)
            written[code->specials[k].reg / 4] = UINT32_MAX;
    }
}

const struct hone_emu_observer *
hone_emu_checker_observer(const struct hone_emu_checker *checker)
{
    return &checker->observer;
}
