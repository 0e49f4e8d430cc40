// mbarrier objects: who arrives tells what it knows, who passes learns what those of the
// phases that have ended knew; and an object is to be initialised before others use it,
// and not to be stored to.
#include "base/grow.h"
#include "check_state.h"

enum { OBJECT_BYTES = 8 };

struct hone_emu_phases *hone_emu_check_phases(const struct hone_emu_checker *checker,
                                              uint32_t at)
{
    for (size_t k = 0; k < checker->phase_count; k++)
        if (checker->phases[k].at == at) return &checker->phases[k];
    return NULL;
}

// The object lives no longer: no wait for it is to come.
static void end_copies(struct hone_emu_checker *checker, struct hone_emu_phases *phases)
{
    phases->ends = UINT32_MAX;
    hone_emu_check_landed(checker, phases);
}

// The object begins: nobody has arrived.
static void begin_phases(struct hone_emu_checker *checker, uint32_t at, uint32_t warp,
                         uint32_t lane)
{
    struct hone_emu_phases *phases = hone_emu_check_phases(checker, at);
    struct hone_emu_checks *checks = checker->checks;
    if (!phases &&
        !HONE_GROW(&checker->phases, &checker->phase_cap, checker->phase_count + 1, 16)) {
        checks->scratch_status =
            hone_no_memory(&checks->scratch_error, "to follow an mbarrier");
        return;
    }
    if (phases)
        end_copies(checker, phases);
    else
        phases = &checker->phases[checker->phase_count++];
    *phases = (struct hone_emu_phases){.at = at, .by_warp = warp, .by_lane = lane};
}

void hone_emu_check_init_fence(struct hone_emu_checker *checker, uint32_t warp,
                               uint32_t mask)
{
    for (size_t k = 0; k < checker->phase_count; k++) {
        struct hone_emu_phases *phases = &checker->phases[k];
        if (phases->fenced || phases->by_warp != warp || !(mask >> phases->by_lane & 1))
            continue;
        phases->fenced = checker->arrivals[warp][phases->by_lane] + 1;
    }
}

bool hone_emu_knows_object(const struct hone_emu_checker *checker, uint32_t warp,
                           uint32_t lane, const struct hone_emu_checker *target,
                           uint64_t at)
{
    const struct hone_emu_phases *phases =
        hone_emu_check_phases(target, (uint32_t)at & ~(OBJECT_BYTES - 1U));
    return phases && phases->fenced && checker->passed >= phases->fenced &&
           checker->arrivals[warp][lane] >= phases->fenced;
}

// The same for other blocks of the cluster.
static void touch_in_cluster(struct hone_emu_checker *checker,
                             const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, uint32_t lane,
                             const struct hone_emu_block *block, uint32_t at, bool strong)
{
    uint64_t addresses[HONE_EMU_LANES];
    for (int l = 0; l < HONE_EMU_LANES; l++)
        addresses[l] = at;
    const struct hone_emu_touch touch = {.warp = warp->index,
                                         .mask = UINT32_C(1) << lane,
                                         .all = UINT32_C(1) << lane,
                                         .bytes = OBJECT_BYTES,
                                         .site = (uint32_t)(insn - checker->code->insns),
                                         .addresses = addresses,
                                         .writes = true,
                                         .strong = strong,
                                         .reach = HONE_EMU_ALL_BLOCKS};
    hone_emu_check_cluster_races(checker, warp, insn, block, &touch, 0);
}

// To initialise an object is a plain store to its bytes, all else a strong access.
static void touch_object(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, uint32_t lane, uint32_t at,
                         bool strong)
{
    uint64_t addresses[HONE_EMU_LANES];
    for (int l = 0; l < HONE_EMU_LANES; l++)
        addresses[l] = at;
    const struct hone_emu_touch touch = {.warp = warp->index,
                                         .mask = UINT32_C(1) << lane,
                                         .all = UINT32_C(1) << lane,
                                         .bytes = OBJECT_BYTES,
                                         .site = (uint32_t)(insn - checker->code->insns),
                                         .addresses = addresses,
                                         .writes = true,
                                         .strong = strong,
                                         .reach = HONE_EMU_OWN_BLOCK};
    hone_emu_check_races(checker, warp, insn, PTX_SHARED, &touch, 0);
    if (checker->checks->clustered)
        touch_in_cluster(checker, warp, insn, lane, warp->block, at, strong);
}

// .relaxed orders nothing; without a word it is .release or .acquire.
static bool orders(const struct hone_emu_insn *insn)
{
    return !(insn->order & ORDER_STRONG) || insn->order & (ORDER_ACQUIRE | ORDER_RELEASE);
}

static void release(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                    const struct hone_emu_insn *insn, uint32_t lane, uint32_t at)
{
    struct hone_emu_phases *phases = hone_emu_check_phases(checker, at);
    struct hone_emu_order *order = &checker->order;
    const uint32_t w = warp->index, bit = UINT32_C(1) << lane;
    if (orders(insn)) {
        if (phases) hone_emu_order_release(order, w, bit, &phases->now);
        return;
    }
    hone_emu_order_strong_store(order, w, bit);
    hone_emu_check_barrier_tell(&checker->barriers, order, w);
    if (phases && hone_emu_order_tells(order, w, bit, HONE_EMU_OWN_BLOCK))
        hone_emu_order_release_fenced(order, w, bit, &phases->now);
}

// What the object's block told its cluster, and who arrives has heard, comes back to it.
static void bring_back(struct hone_emu_checker *target, struct hone_emu_knower by,
                       struct hone_emu_phases *phases)
{
    const struct hone_emu_vector *told =
        hone_emu_global_races_told(target->checks->races, target->block, by);
    if (!told) return;
    hone_emu_order_join(&phases->now.known, told);
    target->order.partial = true;
}

// A lane arrives at an object of another block, by a relaxed arrival with what it has
// fenced for the cluster. False: it tells nothing.
static bool tell_remote(struct hone_emu_checker *checker,
                        const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, uint32_t lane,
                        struct hone_emu_checker *target, struct hone_emu_phases *phases)
{
    const uint32_t w = warp->index, bit = UINT32_C(1) << lane;
    if (insn->order & ORDER_BLOCK) return false;
    if (orders(insn)) {
        bring_back(target, hone_emu_knower_of(checker, w), phases);
        hone_emu_check_publish(checker, warp, bit);
        return true;
    }
    if (!hone_emu_order_tells(&checker->order, w, bit, HONE_EMU_OWN_CLUSTER))
        return false;
    const struct hone_emu_vector fenced = {
        .known =
            hone_emu_news_told(&checker->order, w, bit)->fenced[HONE_EMU_OWN_CLUSTER]};
    bring_back(target, (struct hone_emu_knower){checker->block, &fenced}, phases);
    hone_emu_check_signal_cluster(checker, warp, bit);
    return true;
}

// A block of the cluster does something to an object of another one. What it tells by an
// arrival without a scope is taken for the cluster's to know, as kernels rely on.
static void check_remote(struct hone_emu_checker *checker,
                         const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn,
                         enum hone_emu_mbarrier_event event, uint32_t lane,
                         const struct hone_emu_place *place)
{
    struct hone_emu_checker *target = hone_emu_checker_of(place->block);
    struct hone_emu_phases *phases =
        hone_emu_check_phases(target, (uint32_t)place->offset);
    const uint32_t bit = UINT32_C(1) << warp->block->rank;
    if (!hone_emu_check_visit(checker, warp, insn, lane, place->block,
                              HONE_EMU_VISIT_OBJECT))
        return;
    touch_in_cluster(checker, warp, insn, lane, place->block, (uint32_t)place->offset,
                     true);
    if (event != HONE_EMU_MBARRIER_ARRIVES || !phases) return;
    hone_emu_check_barrier_tell(&checker->barriers, &checker->order, warp->index);
    phases->came |= bit;
    if (tell_remote(checker, warp, insn, lane, target, phases)) phases->told |= bit;
}

static void end_phase(struct hone_emu_phases *phases,
                      const struct hone_emu_checker *checker)
{
    phases->others = hone_emu_global_races_heard(checker->checks->races, checker->block);
    hone_emu_order_join(&phases->ended.known, &phases->now.known);
    hone_emu_news_join(&phases->ended.news, &phases->now.news);
    phases->told_ended |= phases->told;
    phases->came_ended |= phases->came;
    phases->told = phases->came = 0;
}

// What other blocks did before they arrived is over, and they were there.
static void pass(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                 const struct hone_emu_insn *insn, uint32_t lane,
                 struct hone_emu_phases *phases)
{
    checker->begun |= phases->came_ended;
    for (uint32_t m = phases->came_ended; m; m &= m - 1) {
        struct hone_emu_visit *visits = checker->visits[__builtin_ctz(m)];
        visits[HONE_EMU_VISIT_OBJECT].site = 0;
        if (!visits[HONE_EMU_VISIT_SENT].in_flight) visits[HONE_EMU_VISIT_SENT].site = 0;
    }
    hone_emu_check_barrier_see(&checker->barriers, warp->index);
    const bool far = phases->told_ended && !(insn->order & ORDER_BLOCK);
    struct hone_emu_order *order = &checker->order;
    if (orders(insn)) {
        hone_emu_order_acquire(order, warp->index, lane, &phases->ended);
        if (far) hone_emu_order_join_cluster(order, warp->index, &phases->others);
        return;
    }
    hone_emu_order_strong_load(order, warp->index, UINT32_C(1) << lane);
    if (far) hone_emu_order_note_seen(order, warp->index, &phases->others, -1);
    phases->glimpsed[warp->index] |= UINT32_C(1) << lane;
    checker->glimpses = true;
}

void hone_emu_check_glimpsed(struct hone_emu_checker *checker, uint32_t warp,
                             uint32_t mask)
{
    for (size_t k = 0; checker->glimpses && k < checker->phase_count; k++) {
        struct hone_emu_phases *phases = &checker->phases[k];
        for (uint32_t m = phases->glimpsed[warp] & mask; m; m &= m - 1)
            hone_emu_order_acquire(&checker->order, warp, (uint32_t)__builtin_ctz(m),
                                   &phases->ended);
        phases->glimpsed[warp] &= ~mask;
    }
}

void hone_emu_check_sent_landed(const struct hone_emu_async *event)
{
    struct hone_emu_checker *checker = hone_emu_checker_of(event->warp->block);
    struct hone_emu_checker *target = hone_emu_checker_of(event->block);
    struct hone_emu_visit *visit =
        &target->visits[event->warp->block->rank][HONE_EMU_VISIT_SENT];
    struct hone_emu_phases *phases = hone_emu_check_phases(target, event->mbarrier);
    if (visit->in_flight == event->number) visit->in_flight = 0;
    if (!phases) return;
    phases->came |= UINT32_C(1) << event->warp->block->rank;
    phases->told |= UINT32_C(1) << event->warp->block->rank;
    hone_emu_check_publish(checker, event->warp, event->lanes);
}

void hone_emu_check_counted(struct hone_emu_checker *checker,
                            const struct hone_emu_async *event, uint32_t lane)
{
    const struct hone_emu_warp *warp = event->warp;
    struct hone_emu_phases *phases = hone_emu_check_phases(checker, event->mbarrier);
    if (event->block != warp->block) {
        touch_in_cluster(checker, warp, event->insn, lane, event->block, event->mbarrier,
                         true);
        return;
    }
    touch_object(checker, warp, event->insn, lane, event->mbarrier, true);
    if (phases)
        hone_emu_order_release(&checker->order, warp->index, UINT32_C(1) << lane,
                               &phases->now);
}

void hone_emu_check_mbarrier(void *context, const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn,
                             enum hone_emu_mbarrier_event event, uint32_t lane,
                             const struct hone_emu_place *place)
{
    struct hone_emu_checker *checker = context;
    struct hone_emu_checker *target = place->block->observer->context; // of its cluster
    const uint32_t at = (uint32_t)place->offset;
    struct hone_emu_phases *phases = hone_emu_check_phases(target, at);
    if (target != checker && event != HONE_EMU_MBARRIER_ENDED) {
        check_remote(checker, warp, insn, event, lane, place);
        return;
    }
    switch (event) {
    case HONE_EMU_MBARRIER_BEGINS:
        touch_object(checker, warp, insn, lane, at, false);
        memset(checker->shared + at, 0, OBJECT_BYTES);
        begin_phases(checker, at, warp->index, lane);
        return;
    case HONE_EMU_MBARRIER_GOES: // libcu++ ends objects after a match of lanes alone
    case HONE_EMU_MBARRIER_TOUCHED:
        touch_object(checker, warp, insn, lane, at, true);
        if (phases && insn->op == EMU_MBPARITY)
            hone_emu_check_question(checker, warp, insn, lane, phases);
        return;
    case HONE_EMU_MBARRIER_ARRIVES:
        touch_object(checker, warp, insn, lane, at, true);
        release(checker, warp, insn, lane, at);
        return;
    case HONE_EMU_MBARRIER_COPIED:
        touch_object(checker, warp, insn, lane, at, true);
        hone_emu_check_arrived(checker, warp->index, lane, phases);
        release(checker, warp, insn, lane, at);
        return;
    case HONE_EMU_MBARRIER_ENDED:
        if (!phases) return;
        end_phase(phases, checker);
        phases->ends++;
        if (target->proxy) hone_emu_proxy_ended(target->proxy, (uint32_t)place->offset);
        return;
    case HONE_EMU_MBARRIER_PASSED:
        if (!phases) return;
        if (checker->checks->copies) hone_emu_check_landed(checker, phases);
        pass(checker, warp, insn, lane, phases);
        hone_emu_check_answer(checker, warp, insn, lane, phases);
        return;
    }
}
