// Splits of a warp: which lanes run, which wait and for what; and barriers of the block.
#include <stdio.h>

#include "emu_exec.h"

void hone_emu_set_mask(struct hone_emu_warp *warp, uint32_t mask)
{
    warp->mask = mask;
    warp->full = mask == warp->alive;
    for (int l = 0; l < HONE_EMU_LANES; l++)
        warp->lane[l] = -(int32_t)(mask >> l & 1);
}

static struct hone_emu_split *add_split(struct hone_emu_warp *warp,
                                        const struct hone_emu_insn *at, uint32_t mask,
                                        enum hone_emu_split_state state)
{
    struct hone_emu_split *split = &warp->splits[warp->split_count++];
    *split = (struct hone_emu_split){.at = at, .mask = mask, .state = state};
    return split;
}

void hone_emu_split_off(struct hone_emu_warp *warp, const struct hone_emu_insn *at,
                        uint32_t mask)
{
    add_split(warp, at, mask, SPLIT_READY);
    if (warp->limit && at < warp->limit) warp->limit = at;
}

void hone_emu_park(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                   enum hone_emu_split_state state, uint8_t barrier, uint32_t wanted)
{
    struct hone_emu_split *split = add_split(warp, insn, warp->mask, state);
    split->barrier = barrier;
    split->wanted = wanted;
    hone_emu_set_mask(warp, 0);
    warp->limit = NULL;
}

bool hone_emu_gather(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                     uint32_t wanted)
{
    if (warp->mask & ~wanted) {
        hone_emu_fault(warp, insn, __builtin_ctz(warp->mask & ~wanted), HONE_CRASHED,
                       HONE_FINDING_MEMBER_MASK,
                       "lane is not in its own member mask 0x%08x", wanted);
        return false;
    }
    if ((wanted & warp->alive & ~warp->mask) == 0) return true;
    hone_emu_park(warp, insn, SPLIT_SYNC, 0, wanted);
    return false;
}

bool hone_emu_gather_named(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           const uint32_t *names)
{
    uint32_t alike = hone_emu_named_alike(names, warp->mask);
    uint32_t wanted = names[__builtin_ctz(warp->mask)], others = warp->mask & ~alike;
    if (others) {
        hone_emu_split_off(warp, insn, others);
        hone_emu_set_mask(warp, alike);
    }
    return hone_emu_gather(warp, insn, wanted);
}

// ---- barriers ----

static void give_result(struct hone_emu_warp *warp, const struct hone_emu_split *split,
                        const struct hone_emu_barrier *barrier, uint32_t threads)
{
    const struct hone_emu_insn *insn = split->at;
    uint32_t *d = (uint32_t *)(void *)(warp->regs + insn->dst[0]);
    uint32_t votes = barrier->votes;
    if (insn->logic == LOGIC_POPC) {
        for (int l = 0; l < HONE_EMU_LANES; l++)
            if (split->mask >> l & 1) d[l] = votes;
    } else {
        bool holds = insn->logic == LOGIC_AND ? votes == threads : votes > 0;
        *d = (*d & ~split->mask) | (holds ? split->mask : 0);
    }
}

static void open_barrier(struct hone_emu_block *block, uint8_t id)
{
    struct hone_emu_barrier *barrier = &block->barriers[id];
    const struct hone_emu_observer *observer = block->observer;
    if (observer && observer->barrier)
        observer->barrier(observer->context, NULL, id, barrier->wanted == 0);
    block->met = true;
    block->events++;
    for (uint32_t k = 0; k < block->warp_count; k++) {
        struct hone_emu_warp *warp = &block->warps[k];
        for (uint32_t s = 0; s < warp->split_count; s++) {
            struct hone_emu_split *split = &warp->splits[s];
            if (split->state != SPLIT_BARRIER || split->barrier != id) continue;
            if (split->at->op == EMU_BARRED)
                give_result(warp, split, barrier, barrier->arrived);
            split->at++;
            split->state = SPLIT_READY;
            split->barrier = 0;
            warp->meetings++;
        }
    }
    *barrier = (struct hone_emu_barrier){0};
}

// Threads that have exited count as arrived at a barrier of the whole block.
static void open_if_complete(struct hone_emu_block *block, uint8_t id)
{
    const struct hone_emu_barrier *barrier = &block->barriers[id];
    if (barrier->arrived == 0) return;
    bool complete = barrier->wanted ? barrier->arrived >= barrier->wanted
                                    : barrier->arrived + block->exited >= block->threads;
    if (complete) open_barrier(block, id);
}

// Lanes that the block does not have arrive with the first one: counts are of whole
// warps.
static uint32_t arriving(const struct hone_emu_warp *warp, uint32_t wanted)
{
    uint32_t n = (uint32_t)__builtin_popcount(warp->mask);
    bool first = warp->mask & warp->alive & (0 - warp->alive);
    uint32_t missing = HONE_EMU_LANES - (uint32_t)__builtin_popcount(warp->exists);
    return wanted && first ? n + missing : n;
}

static uint32_t first_lane(const struct hone_emu_warp *warp, uint32_t offset)
{
    const uint32_t *lanes = (const uint32_t *)(const void *)(warp->regs + offset);
    return lanes[__builtin_ctz(warp->mask)];
}

static uint32_t vote_of(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn)
{
    uint32_t k = insn->src_count - 1U;
    uint32_t bits = *(const uint32_t *)(const void *)(warp->regs + insn->src[k]);
    if (insn->negate >> k & 1) bits = ~bits;
    return (uint32_t)__builtin_popcount(bits & warp->mask);
}

static void name_count(char *out, size_t size, uint32_t wanted)
{
    if (wanted)
        snprintf(out, size, "%u", wanted);
    else
        snprintf(out, size, "all");
}

// Is there such a barrier, and do those who are there wait for as many?
static bool check_barrier(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          uint32_t id, bool counted, uint32_t wanted)
{
    char why[192] = "", place[HONE_EMU_PLACE_TEXT], mine[16], theirs[16];
    if (id >= HONE_EMU_BARRIERS) {
        snprintf(why, sizeof why, ": there are 0 to %d", HONE_EMU_BARRIERS - 1);
    } else if (wanted % HONE_EMU_LANES || (counted && wanted == 0) ||
               wanted > HONE_EMU_MAX_WARPS * HONE_EMU_LANES) {
        snprintf(why, sizeof why, ": a multiple of %d, %d to %d, can wait",
                 HONE_EMU_LANES, HONE_EMU_LANES, HONE_EMU_MAX_WARPS * HONE_EMU_LANES);
    } else {
        const struct hone_emu_barrier *barrier = &warp->block->barriers[id];
        if (!barrier->arrived || barrier->wanted == wanted) return true;
        hone_emu_print_place(place, warp->launch->code, barrier->site);
        name_count(theirs, sizeof theirs, barrier->wanted);
        snprintf(why, sizeof why, ", others wait for %s (%s)", theirs, place);
    }
    name_count(mine, sizeof mine, wanted);
    if (counted && !wanted) snprintf(mine, sizeof mine, "0");
    hone_emu_fault(warp, insn, __builtin_ctz(warp->mask), HONE_CRASHED,
                   HONE_FINDING_BARRIER, "barrier %u for %s threads%s", id, mine, why);
    return false;
}

void hone_emu_arrive(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                     bool wait)
{
    struct hone_emu_block *block = warp->block;
    bool reduction = insn->op == EMU_BARRED;
    // whole warps come to it: lanes that took another way are waited for
    if (insn->order & ORDER_ALIGNED && warp->alive & ~warp->mask) {
        hone_emu_park(warp, insn, SPLIT_SYNC, 0, UINT32_MAX);
        return;
    }
    uint32_t id = first_lane(warp, insn->src[0]);
    bool counted = insn->src_count - (reduction ? 1U : 0U) > 1;
    uint32_t wanted = counted ? first_lane(warp, insn->src[1]) : 0;
    if (!check_barrier(warp, insn, id, counted, wanted)) return;
    struct hone_emu_barrier *barrier = &block->barriers[id];
    barrier->wanted = wanted;
    barrier->site = (uint32_t)(insn - warp->launch->code->insns);
    barrier->arrived += arriving(warp, wanted);
    if (reduction) barrier->votes += vote_of(warp, insn);
    const struct hone_emu_observer *observer = block->observer;
    if (observer && observer->barrier)
        observer->barrier(observer->context, warp, id, wait);
    if (wait) hone_emu_park(warp, insn, SPLIT_BARRIER, (uint8_t)id, 0);
    open_if_complete(block, (uint8_t)id);
}

// Lanes that wait for none any more run the instruction again, now together.
static void try_again(struct hone_emu_warp *warp, struct hone_emu_split *split)
{
    if (split->state != SPLIT_SYNC || split->wanted & warp->alive & ~split->mask) return;
    split->state = SPLIT_READY;
    split->together = true;
    warp->meetings++;
}

void hone_emu_exit(struct hone_emu_warp *warp, uint32_t mask)
{
    struct hone_emu_block *block = warp->block;
    warp->alive &= ~mask;
    block->exited += (uint32_t)__builtin_popcount(mask);
    block->events++;
    hone_emu_set_mask(warp, 0);
    warp->limit = NULL;
    for (uint32_t id = 0; id < HONE_EMU_BARRIERS; id++)
        open_if_complete(block, (uint8_t)id);
    hone_emu_cluster_exit(warp, mask);
    for (uint32_t s = 0; s < warp->split_count; s++) // fewer lanes to wait for
        try_again(warp, &warp->splits[s]);
}

// ---- choice of the next split ----

static bool are_alike(const struct hone_emu_split *x, const struct hone_emu_split *y)
{
    return x->at == y->at && x->state == y->state && x->barrier == y->barrier &&
           x->wanted == y->wanted && x->together == y->together;
}

// Lanes that came to one place become one split again.
static void merge(struct hone_emu_warp *warp)
{
    for (uint32_t a = 0; a < warp->split_count; a++) {
        for (uint32_t b = a + 1; b < warp->split_count;) {
            struct hone_emu_split *x = &warp->splits[a], *y = &warp->splits[b];
            if (!are_alike(x, y)) {
                b++;
                continue;
            }
            x->mask |= y->mask;
            *y = warp->splits[--warp->split_count];
        }
        try_again(warp, &warp->splits[a]);
    }
}

static int choose(const struct hone_emu_warp *warp, uint32_t avoid)
{
    int best = -1;
    for (uint32_t s = 0; s < warp->split_count; s++) {
        const struct hone_emu_split *split = &warp->splits[s];
        if (split->state != SPLIT_READY || split->mask == avoid) continue;
        if (best < 0 || split->at < warp->splits[best].at) best = (int)s;
    }
    return best;
}

// Take the split out of the list, and stop where another one is.
static struct hone_emu_split take(struct hone_emu_warp *warp, uint32_t chosen)
{
    const struct hone_emu_code *code = warp->launch->code;
    struct hone_emu_split split = warp->splits[chosen];
    warp->splits[chosen] = warp->splits[--warp->split_count];
    warp->limit = code->insns + code->count;
    for (uint32_t s = 0; s < warp->split_count; s++) {
        const struct hone_emu_split *other = &warp->splits[s];
        if (other->state == SPLIT_READY && other->at > split.at &&
            other->at < warp->limit)
            warp->limit = other->at;
    }
    return split;
}

bool hone_emu_warp_next(struct hone_emu_warp *warp)
{
    struct hone_emu_split split;
    merge(warp);
    if (warp->block->classes) {
        if (!hone_emu_scatter(warp, &split)) return false;
    } else {
        int chosen = choose(warp, warp->avoid);
        if (chosen < 0) chosen = choose(warp, 0);
        if (chosen < 0) return false;
        split = take(warp, (uint32_t)chosen);
    }
    warp->at = split.at;
    warp->avoid = 0;
    hone_emu_set_mask(warp, split.mask);
    return true;
}

void hone_emu_warp_stop(struct hone_emu_warp *warp)
{
    if (warp->mask) add_split(warp, warp->at, warp->mask, SPLIT_READY);
    hone_emu_set_mask(warp, 0);
}
