// Blocks that are watched and what orders them: one that fences and then signals tells
// what it did to those that make a strong load after that and then fence.
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "race_global.h"

int64_t hone_emu_global_races_enter(struct hone_emu_global_races *races,
                                    const uint32_t id[3])
{
    if (races->count > HONE_EMU_MOST_BLOCKS) return -1;
    if (!HONE_GROW(&races->blocks, &races->cap, races->count + 1, 16)) return -1;
    struct hone_emu_race_block *block = &races->blocks[races->count];
    *block = (struct hone_emu_race_block){.id = {id[0], id[1], id[2]}};
    return (int64_t)races->count++;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// The signal is out: what it says of fences is kept where it is more than before.
static void note_fences(const struct hone_emu_global_races *races,
                        struct hone_emu_race_block *block)
{
    const struct hone_emu_vector *told = &block->published;
    uint32_t fenced[HONE_EMU_CLOCKS], any = 0;
    for (uint32_t k = 0; k < HONE_EMU_CLOCKS; k++)
        any |= fenced[k] = later(told->fenced[k], told->published[k]);
    if (!any) return;
    if (!block->fences) block->fences = calloc(1, sizeof *block->fences);
    struct hone_emu_fence_signals *fences = block->fences;
    block->forgets = block->forgets || !fences;
    if (!fences) return;
    const uint32_t last = (fences->count - 1) % HONE_EMU_FENCE_SIGNALS;
    if (fences->count && !memcmp(fences->fenced[last], fenced, sizeof fenced)) return;
    const uint32_t next = fences->count++ % HONE_EMU_FENCE_SIGNALS;
    fences->signals[next] = races->signals;
    memcpy(fences->fenced[next], fenced, sizeof fenced);
}

// One more of the block's signals than there is room for?
static bool makes_room(struct hone_emu_global_races *races,
                       struct hone_emu_race_block *block, size_t need)
{
    const size_t old = block->signal_cap, each = sizeof *block->signals;
    if (need <= old) return true;
    if (races->bytes + need * each > hone_emu_most_race_bytes) return false;
    if (!HONE_GROW(&block->signals, &block->signal_cap, need, 1)) return false;
    races->bytes += (block->signal_cap - old) * each;
    return true;
}

static void note_signal(struct hone_emu_global_races *races,
                        struct hone_emu_race_block *block)
{
    const uint32_t next = block->signal_count % HONE_EMU_BLOCK_SIGNALS;
    block->forgets = block->forgets || !makes_room(races, block, next + 1);
    if (block->forgets) return;
    block->signals[next].number = races->signals;
    block->signals[next].told = block->published;
    block->signal_count++;
}

void hone_emu_global_races_signal(struct hone_emu_global_races *races, uint32_t number,
                                  const struct hone_emu_clocks *told,
                                  const struct hone_emu_vector *by)
{
    struct hone_emu_race_block *block = &races->blocks[number];
    hone_emu_clocks_join(&block->published.known, told);
    hone_emu_order_join_rest(&block->published, by);
    block->has_published = true;
    races->signals++;
    note_signal(races, block);
    note_fences(races, block);
}

uint32_t hone_emu_global_races_world(const struct hone_emu_global_races *races)
{
    return races->signals;
}

// What the block had told when there had been so many signals of all; as of the oldest
// that is kept where that was earlier.
static const struct hone_emu_vector *told_at(const struct hone_emu_race_block *block,
                                             uint32_t signals)
{
    const uint32_t count = block->signal_count;
    const uint32_t kept = count < HONE_EMU_BLOCK_SIGNALS ? count : HONE_EMU_BLOCK_SIGNALS;
    if (block->forgets) return &block->published;
    for (uint32_t k = 1; k <= kept; k++) {
        const struct hone_emu_block_signal *signal =
            &block->signals[(count - k) % HONE_EMU_BLOCK_SIGNALS];
        if (signal->number <= signals) return &signal->told;
    }
    return count > kept ? &block->signals[count % HONE_EMU_BLOCK_SIGNALS].told : NULL;
}

const struct hone_emu_vector *
hone_emu_global_races_told(const struct hone_emu_global_races *races, uint32_t block,
                           uint32_t world, const struct hone_emu_vector *known)
{
    if (block >= races->count) return NULL; // it has not begun in this run
    const struct hone_emu_race_block *other = &races->blocks[block];
    const uint32_t seen = known->clocks[HONE_EMU_WORLD];
    return seen > world && other->has_published ? told_at(other, seen) : NULL;
}

bool hone_emu_global_races_ordered(const struct hone_emu_global_races *races,
                                   uint32_t block, hone_emu_stamp stamp, uint32_t world,
                                   const struct hone_emu_vector *known)
{
    const struct hone_emu_vector *told =
        hone_emu_global_races_told(races, block, world, known);
    return told && hone_emu_vector_has(told, stamp);
}

// What the block's last signal that is known said; the oldest that is kept where those
// before it may have been the ones.
static const uint32_t *fenced_at(const struct hone_emu_fence_signals *fences,
                                 uint32_t signals)
{
    const uint32_t count = fences->count;
    const uint32_t kept = count < HONE_EMU_FENCE_SIGNALS ? count : HONE_EMU_FENCE_SIGNALS;
    for (uint32_t k = 1; k <= kept; k++) {
        const uint32_t at = (count - k) % HONE_EMU_FENCE_SIGNALS;
        if (fences->signals[at] <= signals) return fences->fenced[at];
    }
    return count > kept ? fences->fenced[count % HONE_EMU_FENCE_SIGNALS] : NULL;
}

const uint32_t *hone_emu_global_races_fenced(const struct hone_emu_global_races *races,
                                             uint32_t block,
                                             const struct hone_emu_vector *known)
{
    if (block >= races->count) return NULL;
    const struct hone_emu_race_block *other = &races->blocks[block];
    if (other->forgets || !other->fences) return other->published.fenced;
    return fenced_at(other->fences, known->clocks[HONE_EMU_WORLD]);
}

bool hone_emu_global_races_fenced_since(const struct hone_emu_global_races *races,
                                        uint32_t world,
                                        const struct hone_emu_vector *known)
{
    for (size_t i = 0; i < races->count; i++) {
        const uint32_t *fenced = hone_emu_global_races_fenced(races, (uint32_t)i, known);
        if (fenced && fenced[HONE_EMU_WORLD] > world) return true;
    }
    return false;
}
