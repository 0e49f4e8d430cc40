// Watches a block: which lanes of registers hold values that were never written, or that
// a GPU computes differently, and what comes before what. Such a value may be moved and
// computed with; one never written is a finding once it decides something.
#include "check.h"

#include <string.h>

#include "check_state.h"
#include "fidelity.h"

void hone_emu_report(const struct hone_emu_warp *warp, const struct hone_fault *fault)
{
    struct hone_emu_launch *launch = warp->launch;
    // the observer is told of a warp that its block owns
    warp->block->warps[warp->index].limit = NULL;
    if (launch->faulted) return;
    launch->faulted = true;
    *launch->fault = *fault;
}

// ---- kinds of instructions ----

static bool is_fence(const struct hone_emu_insn *insn)
{
    const char *name = hone_emu_forms[insn->form].name;
    return insn->op == EMU_NOP &&
           (strcmp(name, "membar") == 0 || strcmp(name, "fence") == 0);
}

static bool is_proxy_fence(const struct hone_emu_insn *insn)
{
    const char *name = hone_emu_forms[insn->form].name;
    return strncmp(name, "fence.proxy.async", strlen("fence.proxy.async")) == 0;
}

static bool is_init_fence(const struct hone_emu_insn *insn)
{
    return strcmp(hone_emu_forms[insn->form].name, "fence.mbarrier_init") == 0;
}

static enum hone_emu_kind kind_of_nop(const struct hone_emu_insn *insn)
{
    if (hone_emu_waits_for_grid(insn)) return KIND_GRID_WAIT;
    if (is_proxy_fence(insn)) return KIND_PROXY_FENCE;
    if (is_init_fence(insn)) return KIND_INIT_FENCE;
    return is_fence(insn) ? KIND_FENCE : KIND_PLAIN;
}

// These operations are of one kind always; KIND_PLAIN: it depends on more.
static const uint8_t kinds[EMU_OP_COUNT] = {
    [EMU_SELP] = KIND_SELECT,         [EMU_SHUFFLE] = KIND_CROSS,
    [EMU_VOTE] = KIND_CROSS,          [EMU_MATCH] = KIND_CROSS,
    [EMU_REDUX] = KIND_CROSS,         [EMU_ELECT] = KIND_CROSS,
    [EMU_ACTIVEMASK] = KIND_CROSS,    [EMU_MOVMATRIX] = KIND_CROSS,
    [EMU_MMA] = KIND_CROSS,           [EMU_LDMATRIX] = KIND_MATRIX,
    [EMU_STMATRIX] = KIND_MATRIX,     [EMU_LD] = KIND_MEMORY,
    [EMU_ST] = KIND_MEMORY,           [EMU_ATOM] = KIND_MEMORY,
    [EMU_CPASYNC] = KIND_MEMORY,      [EMU_BRA] = KIND_BRANCH,
    [EMU_BARSYNC] = KIND_BARRIER,     [EMU_BARARRIVE] = KIND_BARRIER,
    [EMU_BARRED] = KIND_BARRIER,      [EMU_WARPSYNC] = KIND_WARP_BARRIER,
    [EMU_CPCOMMIT] = KIND_COMMIT,     [EMU_CPWAIT] = KIND_WAIT,
    [EMU_MBINIT] = KIND_MBARRIER,     [EMU_MBINVAL] = KIND_MBARRIER,
    [EMU_MBEXPECT] = KIND_MBARRIER,   [EMU_MBLAND] = KIND_MBARRIER,
    [EMU_MBARRIVE] = KIND_MBARRIER,   [EMU_MBARRIVETX] = KIND_MBARRIER,
    [EMU_MBARRIVENC] = KIND_MBARRIER, [EMU_MBDROP] = KIND_MBARRIER,
    [EMU_MBDROPTX] = KIND_MBARRIER,   [EMU_MBDROPNC] = KIND_MBARRIER,
    [EMU_MBPARITY] = KIND_MBARRIER,   [EMU_MBSTATE] = KIND_MBARRIER,
    [EMU_CPARRIVE] = KIND_MBARRIER,   [EMU_CPARRIVEINC] = KIND_MBARRIER,
    [EMU_WGMMA] = KIND_PRODUCT,       [EMU_WGFENCE] = KIND_PRODUCT,
    [EMU_WGCOMMIT] = KIND_PRODUCT,    [EMU_WGWAIT] = KIND_PRODUCT,
    [EMU_EXIT] = KIND_EXIT,
};

enum hone_emu_kind hone_emu_kind_of(const struct hone_emu_insn *insn)
{
    if (kinds[insn->op] != KIND_PLAIN) return (enum hone_emu_kind)kinds[insn->op];
    if (insn->op == EMU_NOP) return kind_of_nop(insn);
    return hone_emu_is_approximate(insn) ? KIND_APPROXIMATE : KIND_PLAIN;
}

// A block without others is a cluster.
uint32_t hone_emu_scope_of(const struct hone_emu_checks *checks,
                           const struct hone_emu_insn *insn)
{
    if (insn->order & ORDER_BLOCK) return HONE_EMU_OWN_BLOCK;
    if (!(insn->order & ORDER_CLUSTER)) return HONE_EMU_ALL_BLOCKS;
    return checks->clustered ? HONE_EMU_OWN_CLUSTER : HONE_EMU_OWN_BLOCK;
}

// ---- registers ----

static inline hone_emu_marks source_marks(const struct hone_emu_insn *insn,
                                          const hone_emu_marks *marks)
{
    hone_emu_marks joined = 0;
    for (unsigned k = 0; k < insn->src_count; k++)
        joined |= marks[insn->src[k] / 4];
    return joined;
}

static inline void set_marks(const struct hone_emu_insn *insn, hone_emu_marks *marks,
                             hone_emu_marks value, uint32_t mask)
{
    hone_emu_marks lanes = hone_emu_in_lanes(mask);
    for (unsigned k = 0; k < insn->dst_count; k++) {
        hone_emu_marks *at = &marks[insn->dst[k] / 4];
        *at = (*at & ~lanes) | (value & lanes);
    }
}

static hone_emu_marks select_marks(const struct hone_emu_warp *warp,
                                   const struct hone_emu_insn *insn,
                                   const hone_emu_marks *marks)
{
    uint32_t first = hone_emu_first_word(warp, insn->src[2]);
    if (insn->negate >> 2 & 1) first = ~first;
    return (marks[insn->src[0] / 4] & hone_emu_in_lanes(first)) |
           (marks[insn->src[1] / 4] & hone_emu_in_lanes(~first)) |
           marks[insn->src[2] / 4];
}

// Sets what is known of the destinations. sources: marks of all of them; approximate: the
// lanes of the result that a GPU computes differently, in the high half.
static inline void follow(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, hone_emu_marks sources,
                          hone_emu_marks approximate, uint32_t mask)
{
    hone_emu_marks *marks = hone_emu_marks_of(checker, warp);
    const hone_emu_marks high = (hone_emu_marks)mask << 32;
    if (!(hone_emu_unwritten(sources) & mask)) {
        set_marks(insn, marks, approximate & (hone_emu_marks)UINT32_MAX << 32, mask);
        return;
    }
    // the observer is told of a warp that its block owns
    hone_emu_define(&checker->shadows[warp->index], &warp->block->warps[warp->index],
                    insn, mask);
    for (unsigned k = 0; k < insn->dst_count; k++) {
        hone_emu_marks *at = &marks[insn->dst[k] / 4];
        *at = (*at & ~high) | (approximate & high);
    }
}

// The register decides where the lanes of mask go or what they touch.
static inline void decide(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t offset,
                          uint32_t mask, unsigned reached)
{
    const hone_emu_marks marks =
        hone_emu_marks_of(checker, warp)[offset / 4] & hone_emu_in_lanes(mask);
    if (marks == 0) return;
    if (hone_emu_approximate(marks)) checker->checks->reached |= reached;
    if (hone_emu_unwritten(marks) == 0) return;
    const struct hone_emu_use use = {.offset = offset,
                                     .mask = mask,
                                     .bits = UINT64_MAX,
                                     .what = reached == HONE_EMU_REACHED_ADDRESS
                                                 ? "is an address"
                                                 : "names a barrier"};
    if (reached == HONE_EMU_REACHED_BRANCH)
        hone_emu_check_choice(checker, warp, insn, offset, hone_emu_unwritten(marks));
    else
        hone_emu_find_undefined(checker, warp, insn, &use);
}

// Lanes that come to an operation of the warp try again until all are there.
static bool is_complete(const struct hone_emu_warp *warp, uint32_t wanted, uint32_t mask)
{
    return (wanted & warp->alive & ~mask) == 0;
}

static const uint32_t *names_of(const struct hone_emu_warp *warp,
                                const struct hone_emu_insn *insn)
{
    bool whole = insn->op == EMU_MMA || insn->op == EMU_MOVMATRIX ||
                 insn->op == EMU_LDMATRIX || insn->op == EMU_STMATRIX;
    if (whole || insn->src_count == 0) return NULL;
    return (const uint32_t *)(const void *)(warp->regs + insn->src[insn->src_count - 1]);
}

static uint32_t wanted_lanes(const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t *names = names_of(warp, insn);
    if (names) return names[__builtin_ctz(mask)];
    return insn->op == EMU_ACTIVEMASK ? mask : UINT32_MAX;
}

// Lanes of mask that do it together with the first one; the others come to it again.
static uint32_t partners(const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t *names = names_of(warp, insn);
    return names ? hone_emu_named_alike(names, mask) : mask;
}

// ---- instructions ----

static void check_cross(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t site = (uint32_t)(insn - checker->code->insns);
    mask = partners(warp, insn, mask);
    if (!is_complete(warp, wanted_lanes(warp, insn, mask), mask)) return;
    hone_emu_check_cross(&checker->shadows[warp->index], warp, insn, mask);
    if (checker->checks->reach.numbers[site]) // not of elect and products
        hone_emu_exchanges_note(checker->exchanges, warp->index, site, mask);
}

enum { BOTH = ORDER_ACQUIRE | ORDER_RELEASE };

static void acquire(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                    uint32_t mask, uint32_t reach)
{
    hone_emu_order_learn(&checker->order, warp->index, mask, reach);
    hone_emu_check_glimpsed(checker, warp->index, mask);
    if (reach >= HONE_EMU_OWN_CLUSTER && checker->checks->clustered)
        hone_emu_check_returned(checker, warp->index, mask); // what comes back, too
}

// order: a release of a strong access alone knows nothing that was not known before it.
static void fence(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                  const struct hone_emu_insn *insn, uint32_t mask, unsigned order)
{
    const uint32_t reach = hone_emu_scope_of(checker->checks, insn);
    checker->waits[warp->index]++; // behind a load that may have told of another's store
    if (order & ORDER_ACQUIRE) acquire(checker, warp, mask, reach);
    if (order & ORDER_RELEASE)
        hone_emu_order_fence(&checker->order, warp->index, mask, reach);
}

// Lanes of the warp tell other blocks what they have fenced, by a strong store. What a
// load has seen is known with its places.
static void signal_all(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       uint32_t mask, uint32_t reach)
{
    struct hone_emu_global_races *races = checker->checks->races;
    struct hone_emu_clocks told;
    const struct hone_emu_vector *by = NULL;
    if (reach == HONE_EMU_ALL_BLOCKS)
        by = hone_emu_order_signal(&checker->order, warp->index, mask, reach, &told);
    if (by) hone_emu_global_races_signal(races, checker->block, &told, by);
    if (!checker->checks->near) return; // no fence tells its cluster alone
    by = hone_emu_order_signal(&checker->order, warp->index, mask, HONE_EMU_OWN_CLUSTER,
                               &told);
    if (by) hone_emu_global_races_signal_near(races, checker->block, &told, by);
}

static struct hone_emu_heard heard_by(const struct hone_emu_checker *checker,
                                      const struct hone_emu_touch *touch,
                                      bool device_memory)
{
    struct hone_emu_global_races *races = checker->checks->races;
    struct hone_emu_heard heard = {0};
    if (!device_memory) return hone_emu_global_races_heard(races, checker->block);
    const uint32_t marked = hone_emu_global_races_marked(races, touch);
    if (checker->checks->near && marked) {
        heard.near = marked;
        heard.by_near = hone_emu_global_races_known_near(races, checker->block);
    }
    if (touch->reach == HONE_EMU_ALL_BLOCKS) heard.world = marked;
    return heard;
}

void hone_emu_check_places(struct hone_emu_checker *checker,
                           const struct hone_emu_warp *warp,
                           const struct hone_emu_insn *insn,
                           const struct hone_emu_touch *touch, bool device_memory)
{
    struct hone_emu_global_races *races = checker->checks->races;
    if (!touch->strong || touch->reach == HONE_EMU_OWN_BLOCK ||
        !hone_emu_global_races_world(races))
        return;
    if (insn->op != EMU_ST) {
        const struct hone_emu_heard heard = heard_by(checker, touch, device_memory);
        const uint32_t reach = hone_emu_scope_of(checker->checks, insn);
        hone_emu_order_note_seen(&checker->order, touch->warp, &heard,
                                 insn->order & ORDER_ACQUIRE ? (int)reach : -1);
        if (insn->order & ORDER_ACQUIRE && checker->checks->clustered)
            hone_emu_check_returned(checker, touch->warp, touch->mask);
    }
    struct hone_emu_touch stored = *touch;
    stored.mask &= ~hone_emu_check_failed_swaps(warp, insn, touch->mask);
    if (insn->op != EMU_LD && device_memory) hone_emu_global_races_mark(races, &stored);
}

// A strong access; one that orders is a fence too, of the scope that it names.
static void order(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                  const struct hone_emu_insn *insn, uint32_t mask)
{
    const uint32_t failed = hone_emu_check_failed_swaps(warp, insn, mask);
    const uint32_t storing = insn->op == EMU_LD ? 0 : mask & ~failed;
    if (storing && insn->order & ORDER_RELEASE)
        fence(checker, warp, insn, storing, ORDER_RELEASE);
    if (insn->op != EMU_ST) {
        hone_emu_order_strong_load(&checker->order, warp->index, mask);
        hone_emu_check_barrier_see(&checker->barriers, warp->index);
    }
    if (storing) {
        hone_emu_order_strong_store(&checker->order, warp->index, storing);
        hone_emu_check_barrier_tell(&checker->barriers, &checker->order, warp->index);
    }
    const uint32_t reach = hone_emu_scope_of(checker->checks, insn);
    const bool wide = storing && reach >= HONE_EMU_OWN_CLUSTER;
    if (wide && insn->space != PTX_SHARED) signal_all(checker, warp, storing, reach);
    if (wide && insn->space == PTX_SHARED && checker->checks->clustered)
        hone_emu_check_signal_cluster(checker, warp, storing);
    if (insn->order & ORDER_ACQUIRE) fence(checker, warp, insn, mask, BOTH);
}

static void check_memory(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    hone_emu_marks *marks = hone_emu_marks_of(checker, warp), value = 0;
    // of a copy both places, and how much of it is read
    const unsigned addresses = insn->op == EMU_CPASYNC ? insn->src_count
                               : insn->src_count       ? 1
                                                       : 0;
    for (unsigned k = 0; k < addresses; k++)
        decide(checker, warp, insn, insn->src[k], mask, HONE_EMU_REACHED_ADDRESS);
    if (insn->src_count)
        value = insn->op == EMU_LD ? marks[insn->src[0] / 4] : source_marks(insn, marks);
    set_marks(insn, marks, value & (hone_emu_marks)UINT32_MAX << 32, mask);
    if (hone_emu_is_strong(insn)) order(checker, warp, insn, mask);
}

static void check_matrix(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t mask)
{
    if (!is_complete(warp, UINT32_MAX, mask)) return;
    uint32_t rows = insn->lanes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * insn->lanes) - 1;
    decide(checker, warp, insn, insn->src[0], rows & mask, HONE_EMU_REACHED_ADDRESS);
    set_marks(insn, hone_emu_marks_of(checker, warp), 0, mask);
}

// Every lane gets what it makes of the votes; one that is undefined makes all so.
static void check_barrier_use(struct hone_emu_checker *checker,
                              const struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, uint32_t mask)
{
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    unsigned last = insn->src_count - (insn->op == EMU_BARRED ? 1U : 0U);
    checker->barriers.at = insn;
    for (unsigned k = 0; k < last; k++)
        decide(checker, warp, insn, insn->src[k], mask, HONE_EMU_REACHED_BARRIER);
    if (insn->op != EMU_BARRED) return;
    hone_emu_marks vote = shadow->marks[insn->src[last] / 4] & hone_emu_in_lanes(mask);
    set_marks(insn, shadow->marks,
              hone_emu_approximate(vote) ? (hone_emu_marks)UINT32_MAX << 32 : 0, mask);
    if (!hone_emu_unwritten(vote)) return;
    const uint32_t origin = hone_emu_origin_at(
        shadow, hone_emu_joined_origin(shadow, insn->src[last], hone_emu_unwritten(vote)),
        insn);
    for (uint32_t m = mask; m; m &= m - 1)
        hone_emu_set_undefined(shadow, insn->dst[0], (uint32_t)__builtin_ctz(m),
                               UINT64_MAX, origin);
}

// Its object, and how much or which phase it means; what it does there is told later.
static void check_mbarrier_use(struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn, uint32_t mask)
{
    decide(checker, warp, insn, insn->src[0], mask, HONE_EMU_REACHED_ADDRESS);
    for (unsigned k = 1; k < insn->src_count; k++)
        decide(checker, warp, insn, insn->src[k], mask, HONE_EMU_REACHED_BARRIER);
    set_marks(insn, hone_emu_marks_of(checker, warp), 0, mask);
}

static void check_rare(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, uint32_t mask)
{
    switch (checker->checks->kinds[insn - checker->code->insns]) {
    case KIND_WARP_BARRIER:
        mask = partners(warp, insn, mask);
        if (is_complete(warp, wanted_lanes(warp, insn, mask), mask))
            hone_emu_order_sync_warp(&checker->order, warp->index, mask, warp->alive);
        return;
    case KIND_FENCE:
        fence(checker, warp, insn, mask, insn->order & BOTH ? insn->order : BOTH);
        return;
    case KIND_PROXY_FENCE:
        hone_emu_check_proxy_fence(checker, warp, insn, mask);
        return;
    case KIND_INIT_FENCE:
        hone_emu_check_init_fence(checker, warp->index, mask);
        return;
    case KIND_GRID_WAIT:
        hone_emu_check_grid_wait(checker, warp, mask);
        return;
    case KIND_COMMIT:
        hone_emu_check_commit(checker, warp, mask);
        return;
    case KIND_WAIT:
        hone_emu_check_wait(checker, warp, insn, mask);
        return;
    case KIND_MBARRIER:
        check_mbarrier_use(checker, warp, insn, mask);
        return;
    case KIND_PRODUCT:
        if (!is_complete(warp, UINT32_MAX, mask)) return;
        for (unsigned k = 0; k < insn->src_count; k++)
            decide(checker, warp, insn, insn->src[k], mask, HONE_EMU_REACHED_ADDRESS);
        hone_emu_check_product(checker, warp, insn);
        hone_emu_order_align(&checker->order, warp->index);
        return;
    case KIND_EXIT:
        hone_emu_check_exit(checker, warp, insn, mask);
        return;
    default:
        return;
    }
}

void hone_emu_check_step(void *context, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    struct hone_emu_checker *checker = context;
    hone_emu_marks *marks = hone_emu_marks_of(checker, warp), sources;
    uint32_t mask = warp->mask;
    if (checker->due) hone_emu_check_due(checker, warp->block);
    if (insn->guard != HONE_EMU_NO_GUARD) {
        decide(checker, warp, insn, insn->guard, mask, HONE_EMU_REACHED_BRANCH);
        uint32_t guard = hone_emu_first_word(warp, insn->guard);
        mask &= insn->guard_negated ? ~guard : guard;
        if (mask == 0) return;
    }
    if (checker->products && insn->op != EMU_WGMMA)
        hone_emu_check_registers(checker, warp, insn, mask);
    switch (checker->checks->kinds[insn - checker->code->insns]) {
    case KIND_PLAIN:
        sources = source_marks(insn, marks);
        follow(checker, warp, insn, sources, sources, mask);
        return;
    case KIND_APPROXIMATE:
        sources = source_marks(insn, marks);
        follow(checker, warp, insn, sources, (hone_emu_marks)UINT32_MAX << 32, mask);
        return;
    case KIND_SELECT:
        sources = source_marks(insn, marks);
        follow(checker, warp, insn, sources, select_marks(warp, insn, marks), mask);
        return;
    case KIND_CROSS:
        check_cross(checker, warp, insn, mask);
        return;
    case KIND_MATRIX:
        check_matrix(checker, warp, insn, mask);
        return;
    case KIND_MEMORY:
        check_memory(checker, warp, insn, mask);
        return;
    case KIND_BRANCH:
        if (insn->src_count)
            decide(checker, warp, insn, insn->src[0], mask, HONE_EMU_REACHED_BRANCH);
        return;
    case KIND_BARRIER:
        check_barrier_use(checker, warp, insn, mask);
        return;
    default:
        check_rare(checker, warp, insn, mask);
    }
}
