// Blocks of a cluster: what they do to each other's shared memory, and what orders it.
// The bytes have addresses among those of device memory that nothing else has, so races
// between blocks are found as there. At barrier.cluster, and at mbarrier objects of other
// blocks, who arrives tells all that it knows, and who passes learns it.
#include <stdio.h>

#include "check_arrays.h"
#include "check_state.h"
#include "waive.h"

// ---- order ----

void hone_emu_check_publish(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp, uint32_t mask)
{
    const struct hone_emu_news *news =
        hone_emu_news_told(&checker->order, warp->index, mask);
    const struct hone_emu_vector *told =
        hone_emu_order_told(&checker->order, warp->index, mask);
    hone_emu_global_races_signal_cluster(checker->checks->races, checker->block,
                                         &told->known, news, told);
    hone_emu_order_tick(&checker->order, warp->index);
}

void hone_emu_check_signal_cluster(struct hone_emu_checker *checker,
                                   const struct hone_emu_warp *warp, uint32_t mask)
{
    if (!hone_emu_order_tells(&checker->order, warp->index, mask, HONE_EMU_OWN_CLUSTER))
        return;
    const struct hone_emu_news *news =
        hone_emu_news_told(&checker->order, warp->index, mask);
    hone_emu_global_races_signal_cluster(
        checker->checks->races, checker->block, &news->fenced[HONE_EMU_OWN_CLUSTER], news,
        hone_emu_order_told(&checker->order, warp->index, mask));
}

void hone_emu_check_returned(struct hone_emu_checker *checker, uint32_t warp,
                             uint32_t mask)
{
    const struct hone_emu_vector *told = hone_emu_global_races_returned(
        checker->checks->races, hone_emu_knower_of(checker, warp));
    if (told) hone_emu_order_return(&checker->order, warp, mask, told);
}

static bool is_relaxed(const struct hone_emu_insn *insn)
{
    return insn->order & ORDER_STRONG && !(insn->order & (ORDER_RELEASE | ORDER_ACQUIRE));
}

// What fences told before a relaxed arrival it tells, too.
static void arrive(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                   const struct hone_emu_insn *insn)
{
    if (is_relaxed(insn)) {
        hone_emu_check_signal_cluster(checker, warp, warp->mask);
        hone_emu_check_barrier_tell(&checker->barriers, &checker->order, warp->index);
        hone_emu_order_release_fenced(&checker->order, warp->index, warp->mask,
                                      &checker->cluster_gate);
        return;
    }
    hone_emu_check_publish(checker, warp, warp->mask);
    hone_emu_order_release(&checker->order, warp->index, warp->mask,
                           &checker->cluster_gate);
}

void hone_emu_check_cluster(void *context, const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn)
{
    struct hone_emu_checker *checker = context;
    if (!warp) {
        checker->opening =
            hone_emu_global_races_heard(checker->checks->races, checker->block);
        checker->cluster_opened = checker->cluster_gate; // some may arrive again soon
        return;
    }
    if (insn->op == EMU_CLARRIVE) {
        for (uint32_t m = warp->mask; m; m &= m - 1)
            checker->arrivals[warp->index][__builtin_ctz(m)]++;
        arrive(checker, warp, insn);
        return;
    }
    checker->waits[warp->index]++;
    hone_emu_check_barrier_see(&checker->barriers, warp->index);
    checker->begun = UINT32_MAX; // who is there has begun
    hone_emu_order_join_cluster(&checker->order, warp->index, &checker->opening);
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const uint32_t passed = checker->arrivals[warp->index][lane];
        if (passed > checker->passed) checker->passed = passed;
        hone_emu_order_acquire(&checker->order, warp->index, lane,
                               &checker->cluster_opened);
    }
}

// ---- is the other block there? ----

struct hone_emu_checker *hone_emu_checker_of(const struct hone_emu_block *block)
{
    return block->observer ? block->observer->context : NULL;
}

static void say(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                struct hone_fault *fault)
{
    hone_emu_judge_say_lost(checker->checks->judge, fault);
    hone_emu_report(warp, fault);
}

// It has told something since it began that the warp knows.
static bool has_told(const struct hone_emu_checker *checker,
                     const struct hone_emu_warp *warp,
                     const struct hone_emu_checker *target)
{
    return hone_emu_global_races_ordered(checker->checks->races, target->block, 0,
                                         target->world_at_begin,
                                         hone_emu_knower_of(checker, warp->index));
}

static bool is_flag(const struct hone_emu_insn *insn)
{
    return (insn->op == EMU_ST || insn->op == EMU_ATOM) && hone_emu_is_strong(insn) &&
           !(insn->order & ORDER_BLOCK);
}

// Where a flag of that place is noted: instead of an earlier one there, of one that was
// seen, or of the oldest, which is the first.
static struct hone_emu_visit *flag_at(struct hone_emu_visit *flags, uint64_t at)
{
    size_t k = 0;
    while (k < HONE_EMU_FLAGS && flags[k].site && !flags[k].seen && flags[k].at != at)
        k++;
    if (k == HONE_EMU_FLAGS) k = 0;
    memmove(flags + k, flags + k + 1, (HONE_EMU_FLAGS - 1 - k) * sizeof *flags);
    return &flags[HONE_EMU_FLAGS - 1];
}

// False, with a finding, where the other block may not have begun.
static bool is_there(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                     const struct hone_emu_insn *insn, uint32_t lane,
                     const struct hone_emu_block *block)
{
    const struct hone_emu_checker *target = hone_emu_checker_of(block);
    if (checker->begun >> block->rank & 1 || has_told(checker, warp, target)) return true;
    struct hone_fault fault = hone_emu_describe(
        warp, insn, (int)lane, HONE_WRONG_RESULT, HONE_FINDING_PEER,
        "shared memory of block (%u,%u,%u) is used, which may not have begun: no "
        "barrier.cluster before",
        block->id[0], block->id[1], block->id[2]);
    say(checker, warp, &fault);
    return false;
}

static struct hone_emu_visit visit_by(const struct hone_emu_checker *checker,
                                      const struct hone_emu_warp *warp,
                                      const struct hone_emu_insn *insn, uint32_t lane)
{
    return (struct hone_emu_visit){
        .block = checker->block,
        .site = (uint32_t)(insn - checker->code->insns) + 1,
        .arrivals = checker->arrivals[warp->index][lane],
        .world = hone_emu_global_races_world(checker->checks->races),
        .stamp = hone_emu_stamp_make(&checker->order, warp->index, lane, false)};
}

bool hone_emu_check_visit(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, uint32_t lane,
                          const struct hone_emu_block *block, uint32_t kind)
{
    if (!is_there(checker, warp, insn, lane, block)) return false;
    hone_emu_checker_of(block)->visits[warp->block->rank][kind] =
        visit_by(checker, warp, insn, lane);
    return true;
}

// The same of an access by the warp's lanes, which may raise a flag.
static bool note_visit(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn,
                       const struct hone_emu_block *block, const uint64_t *offsets,
                       uint32_t bytes)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(warp->mask);
    struct hone_emu_visit *visits = hone_emu_checker_of(block)->visits[warp->block->rank];
    if (!is_flag(insn))
        return hone_emu_check_visit(checker, warp, insn, lane, block,
                                    HONE_EMU_VISIT_ACCESS);
    if (!is_there(checker, warp, insn, lane, block)) return false;
    struct hone_emu_visit *flag = flag_at(visits + HONE_EMU_VISIT_FLAGS, offsets[lane]);
    *flag = visit_by(checker, warp, insn, lane);
    flag->at = offsets[lane];
    flag->bytes = bytes;
    return true;
}

// Does a lane load some of the flag's bytes?
static bool reaches(const struct hone_emu_touch *touch, const struct hone_emu_visit *flag)
{
    bool any = false;
    for (uint32_t m = touch->mask; m; m &= m - 1) {
        const uint64_t at = touch->addresses[__builtin_ctz(m)];
        any |= at < flag->at + flag->bytes && flag->at < at + touch->bytes;
    }
    return any;
}

void hone_emu_check_flags_seen(struct hone_emu_checker *checker,
                               const struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn,
                               const struct hone_emu_touch *touch)
{
    if (!touch->strong || insn->order & ORDER_BLOCK || insn->op == EMU_ST) return;
    for (uint32_t r = 0; r < warp->block->cluster->size; r++)
        for (uint32_t k = HONE_EMU_VISIT_FLAGS; k < HONE_EMU_VISITS; k++) {
            struct hone_emu_visit *flag = &checker->visits[r][k];
            if (flag->site && !flag->seen) flag->seen = reaches(touch, flag);
        }
}

static struct hone_emu_vector known_to_block(const struct hone_emu_checker *checker)
{
    struct hone_emu_vector known = checker->order.warps[0];
    for (uint32_t w = 1; w < checker->warps; w++)
        hone_emu_order_join(&known, &checker->order.warps[w]);
    return known;
}

// The last visit of the block of that rank that may not be over; NULL: all are.
static const struct hone_emu_visit *find_open(const struct hone_emu_checker *checker,
                                              uint32_t rank,
                                              const struct hone_emu_vector *known)
{
    for (uint32_t k = 0; k < HONE_EMU_VISITS; k++) {
        const struct hone_emu_visit *visit = &checker->visits[rank][k];
        if (visit->site && visit->arrivals >= checker->passed && !visit->seen &&
            !hone_emu_global_races_ordered(
                checker->checks->races, visit->block, visit->stamp, visit->world,
                (struct hone_emu_knower){checker->block, known}))
            return visit;
    }
    return NULL;
}

void hone_emu_check_leave(struct hone_emu_checker *checker,
                          const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn)
{
    const struct hone_emu_vector known = known_to_block(checker);
    for (uint32_t r = 0; r < warp->block->cluster->size; r++) {
        const struct hone_emu_visit *visit = find_open(checker, r, &known);
        const uint32_t *id = warp->block->cluster->blocks[r]->id;
        if (!visit) continue;
        char place[HONE_EMU_PLACE_TEXT];
        hone_emu_print_place(place, checker->code, visit->site - 1);
        struct hone_fault fault = hone_emu_describe(
            warp, insn, __builtin_ctz(warp->mask), HONE_WRONG_RESULT, HONE_FINDING_PEER,
            "the block exits while block (%u,%u,%u) may still use its shared memory "
            "(%s): "
            "no barrier.cluster between them",
            id[0], id[1], id[2], place);
        say(checker, warp, &fault);
        return;
    }
}

// ---- races ----

static bool is_waived(const struct hone_emu_warp *warp,
                      const struct hone_emu_touch *touch,
                      const struct hone_emu_insn *insn,
                      const struct hone_emu_conflict *conflict)
{
    const struct hone_emu_suspect suspect = {hone_emu_kind_of_conflict(insn, conflict),
                                             touch->site, conflict->other_site, 0};
    return hone_emu_waives(warp->launch, &suspect);
}

static struct hone_fault describe_race(const struct hone_emu_checker *checker,
                                       const struct hone_emu_warp *warp,
                                       const struct hone_emu_insn *insn,
                                       const struct hone_emu_conflict *conflict)
{
    char text[HONE_REASON_MAX];
    const enum hone_finding finding = hone_emu_word_conflict(
        text, sizeof text, checker, warp, insn, PTX_SHARED, conflict);
    return hone_emu_describe(warp, insn, conflict->lane, HONE_WRONG_RESULT, finding, "%s",
                             text);
}

// Lanes that load what the conflict's lane does.
static uint32_t lanes_of(const struct hone_emu_touch *touch,
                         const struct hone_emu_conflict *conflict)
{
    uint32_t lanes = 0;
    for (uint32_t m = touch->all; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        const bool same = touch->addresses[lane] == touch->addresses[conflict->lane];
        lanes |= (uint32_t)same << lane;
    }
    return lanes;
}

// Those lanes have guessed, and the judge has no other values to give them.
static void note_looks(struct hone_emu_checker *checker,
                       const struct hone_emu_checker *owner,
                       const struct hone_emu_touch *touch,
                       const struct hone_emu_conflict *conflict, uint32_t race)
{
    const uint64_t at = touch->addresses[conflict->lane] - owner->cluster_base;
    const uint32_t lanes = lanes_of(touch, conflict) & ~checker->looked;
    for (uint32_t m = lanes; m; m &= m - 1)
        hone_emu_note_look(&checker->looks[touch->warp][__builtin_ctz(m)], touch->owner,
                           at, touch->bytes, race);
    checker->looked |= lanes;
}

// What is loaded is undefined, which is a finding where it decides something. Returns the
// number of the race.
static uint32_t drop_loaded(struct hone_emu_checker *checker,
                            const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn,
                            const struct hone_emu_touch *touch,
                            const struct hone_emu_conflict *conflict, unsigned k)
{
    struct hone_emu_judge *judge = checker->checks->judge;
    const uint32_t store = conflict->other_site;
    const bool guess = hone_emu_is_guess_race(insn, &checker->code->insns[store]);
    uint32_t race = hone_emu_judge_find_race(judge, touch->site, store, guess);
    if (!race) {
        const struct hone_fault fault = describe_race(checker, warp, insn, conflict);
        race = hone_emu_judge_add_race(judge, touch->site, store, guess, &fault);
    }
    for (uint32_t m = lanes_of(touch, conflict); m; m &= m - 1)
        hone_emu_make_undefined(checker, warp, insn, touch, k, (uint32_t)__builtin_ctz(m),
                                UINT32_MAX, race);
    return race;
}

// False when it is a finding, which ends the launch.
static bool settle(struct hone_emu_checker *checker, const struct hone_emu_warp *warp,
                   const struct hone_emu_insn *insn, const struct hone_emu_block *block,
                   const struct hone_emu_touch *touch,
                   const struct hone_emu_conflict *conflict, unsigned k)
{
    const struct hone_emu_checker *target = hone_emu_checker_of(block);
    const struct hone_emu_view memory = {block->shared, target->cluster_base};
    const struct hone_emu_insn *other = &checker->code->insns[conflict->other_site];
    if (other->op == EMU_MBINIT &&
        hone_emu_knows_object(checker, warp->index, (uint32_t)conflict->lane, target,
                              conflict->address - memory.address))
        return true;
    if (touch->writes && hone_emu_stores_same(warp, insn, touch, memory, conflict))
        return true;
    if (is_waived(warp, touch, insn, conflict)) return true;
    if (touch->writes && hone_emu_is_guess_race(other, insn))
        return true; // the blocks' loads behind the operation are looked at
    if (!touch->writes) {
        const uint32_t race = drop_loaded(checker, warp, insn, touch, conflict, k);
        if (*hone_emu_judge_guesses(checker->checks->judge) >> race & 1)
            note_looks(checker, target, touch, conflict, race);
        return true;
    }
    struct hone_fault fault = describe_race(checker, warp, insn, conflict);
    say(checker, warp, &fault);
    return false;
}

// The touch of the owner's shared memory as the cluster has it; addresses: room for them.
static struct hone_emu_touch in_cluster(const struct hone_emu_checker *owner,
                                        const struct hone_emu_touch *own,
                                        uint64_t *addresses)
{
    struct hone_emu_touch touch = *own;
    for (int l = 0; l < HONE_EMU_LANES; l++)
        addresses[l] = owner->cluster_base + own->addresses[l];
    touch.addresses = addresses;
    touch.owner = owner->block + 1;
    return touch;
}

void hone_emu_check_cluster_copied(struct hone_emu_checker *checker,
                                   const struct hone_emu_touch *own)
{
    // cppcheck-suppress unusedVariable // the touch has it
    uint64_t addresses[HONE_EMU_LANES];
    struct hone_emu_touch touch = in_cluster(checker, own, addresses);
    struct hone_emu_conflict conflict;
    while (touch.mask &&
           hone_emu_global_races_touch(checker->checks->races, checker->block,
                                       &checker->order, &touch, &conflict))
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1);
}

void hone_emu_check_cluster_races(struct hone_emu_checker *checker,
                                  const struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn,
                                  const struct hone_emu_block *block,
                                  const struct hone_emu_touch *whole, unsigned k)
{
    // cppcheck-suppress unusedVariable // the touch has it
    uint64_t addresses[HONE_EMU_LANES];
    struct hone_emu_touch touch =
        in_cluster(hone_emu_checker_of(block), whole, addresses);
    struct hone_emu_conflict conflict;
    checker->looked = 0;
    while (touch.mask &&
           hone_emu_global_races_touch(checker->checks->races, checker->block,
                                       &checker->order, &touch, &conflict)) {
        // those within a block are found by its own
        if (conflict.other_block &&
            !settle(checker, warp, insn, block, &touch, &conflict, k))
            return;
        touch.mask &= ~((UINT32_C(2) << conflict.lane) - 1); // go on with the next lane
    }
}

// ---- accesses ----

void hone_emu_check_peer(void *context, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn,
                         const struct hone_emu_block *block, const uint64_t *offsets,
                         uint32_t bytes)
{
    struct hone_emu_checker *checker = context, *target = hone_emu_checker_of(block);
    const struct hone_emu_shadow *shadow = &checker->shadows[warp->index];
    struct hone_emu_touch touch = {.warp = warp->index,
                                   .mask = warp->mask,
                                   .all = warp->mask,
                                   .bytes = bytes,
                                   .site = (uint32_t)(insn - checker->code->insns),
                                   .addresses = offsets,
                                   .writes = insn->op != EMU_LD,
                                   .strong = hone_emu_is_strong(insn),
                                   .reach =
                                       (uint8_t)hone_emu_scope_of(checker->checks, insn)};
    if (!note_visit(checker, warp, insn, block, offsets, bytes)) return;
    if (!hone_emu_check_array(checker, warp, insn, &touch)) return;
    hone_emu_check_places(checker, warp, insn, &touch, false);
    for (uint32_t m = warp->mask; target->proxy && m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        if (!hone_emu_check_sent_access(checker, warp, insn, lane, target, offsets[lane],
                                        bytes))
            return;
    }
    if (insn->op == EMU_LD) hone_emu_merge_lanes(&touch);
    if (insn->op == EMU_ATOM)
        hone_emu_check_operands(checker, warp, insn, target, offsets);
    const uint32_t each = insn->op == EMU_ATOM ? bytes : bytes / insn->lanes;
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint8_t *flags = target->shared + offsets[lane];
        const struct hone_emu_span span = {block, offsets[lane], bytes,
                                           insn->op != EMU_LD};
        if (hone_emu_check_meets_copy(checker, warp, insn, lane, &span)) return;
        if (insn->op == EMU_ST)
            hone_emu_store_marks(shadow, insn, flags, lane, each);
        else if (insn->op == EMU_ATOM)
            hone_emu_atomic_marks(shadow, insn, flags, lane, each);
        else
            hone_emu_load_marks(shadow, insn, flags, lane, each);
    }
    hone_emu_check_cluster_races(checker, warp, insn, block, &touch, 0);
}
