// Lanes that run apart, as a GPU may let them: between two points where the lanes of a
// warp wait for each other, classes of them, drawn anew each time, go one after another
// as far as they come. Whoever leans on lanes that run in step gets another result.
#include "emu_exec.h"
#include "hone/rng.h"

enum { SEED = 1 };

static uint64_t seed_of(const struct hone_emu_warp *warp)
{
    const struct hone_emu_block *block = warp->block;
    const uint32_t *grid = block->launch->grid;
    uint64_t number =
        block->id[0] + grid[0] * (block->id[1] + (uint64_t)grid[1] * block->id[2]);
    return ((number * HONE_EMU_MAX_WARPS + warp->index) << 24) + warp->meetings + SEED;
}

// The class of each lane since the last meeting.
static void rank_lanes(struct hone_emu_warp *warp)
{
    const uint32_t classes = warp->block->classes;
    struct hone_rng rng;
    if (warp->ranked == warp->meetings + 1) return;
    warp->ranked = warp->meetings + 1;
    hone_rng_seed(&rng, seed_of(warp));
    for (uint32_t l = 0; l < HONE_EMU_LANES; l++) {
        const uint32_t class = l * classes / HONE_EMU_LANES;
        const uint64_t at = hone_rng_below(&rng, l + 1); // a shuffle from the inside out
        warp->ranks[l] = warp->ranks[at];
        warp->ranks[at] =
            (uint8_t)(warp->launch->reversed_lanes ? classes - 1 - class : class);
    }
}

static uint32_t ready_lanes(const struct hone_emu_warp *warp)
{
    uint32_t ready = 0;
    for (uint32_t s = 0; s < warp->split_count; s++)
        if (warp->splits[s].state == SPLIT_READY) ready |= warp->splits[s].mask;
    return ready;
}

// Which lanes are of the class that goes first?
static uint32_t first_class(const struct hone_emu_warp *warp, uint32_t lanes)
{
    uint32_t first = UINT32_MAX, chosen = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m), class = warp->ranks[lane];
        if (class > first) continue;
        chosen = class < first ? UINT32_C(1) << lane : chosen | UINT32_C(1) << lane;
        first = class;
    }
    return chosen;
}

// The split at the lowest place that has some of lanes.
static struct hone_emu_split *find_split(struct hone_emu_warp *warp, uint32_t lanes)
{
    struct hone_emu_split *best = NULL;
    for (uint32_t s = 0; s < warp->split_count; s++) {
        struct hone_emu_split *split = &warp->splits[s];
        if (split->state != SPLIT_READY || !(split->mask & lanes)) continue;
        if (!best || split->at < best->at) best = split;
    }
    return best;
}

// Where lanes of the class that took another way are, or the end.
static const struct hone_emu_insn *next_of_class(const struct hone_emu_warp *warp,
                                                 const struct hone_emu_insn *at,
                                                 uint32_t lanes)
{
    const struct hone_emu_code *code = warp->launch->code;
    const struct hone_emu_insn *limit = code->insns + code->count;
    for (uint32_t s = 0; s < warp->split_count; s++) {
        const struct hone_emu_split *other = &warp->splits[s];
        if (other->state == SPLIT_READY && other->mask & lanes && other->at > at &&
            other->at < limit)
            limit = other->at;
    }
    return limit;
}

bool hone_emu_scatter(struct hone_emu_warp *warp, struct hone_emu_split *out)
{
    const uint32_t ready = ready_lanes(warp);
    if (ready == 0) return false;
    warp->rested |= warp->avoid;
    if ((ready & ~warp->rested) == 0) warp->rested = 0; // each has had a turn
    rank_lanes(warp);
    const uint32_t lanes = first_class(warp, ready & ~warp->rested);
    struct hone_emu_split *split = find_split(warp, lanes);
    if (!split) return false;
    *out = *split;
    if (!split->together) out->mask &= lanes;
    split->mask &= ~out->mask;
    if (split->mask == 0) *split = warp->splits[--warp->split_count];
    warp->limit =
        out->together ? out->at + 1 : next_of_class(warp, out->at, lanes & ~out->mask);
    return true;
}
