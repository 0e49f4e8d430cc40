// Blocks that are watched and what orders them: one that fences and then signals tells
// what it did to those that make a strong load after that and then fence.
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

uint32_t hone_emu_global_races_fence(struct hone_emu_global_races *races, uint32_t number,
                                     const struct hone_emu_vector *known)
{
    struct hone_emu_race_block *block = &races->blocks[number];
    hone_emu_order_join(&block->fenced, known);
    block->has_fenced = true;
    return block->seen;
}

void hone_emu_global_races_strong(struct hone_emu_global_races *races, uint32_t number,
                                  bool loads, bool stores)
{
    struct hone_emu_race_block *block = &races->blocks[number];
    if (loads) block->seen = races->signals;
    if (!stores || !block->has_fenced) return;
    hone_emu_order_join(&block->published, &block->fenced);
    block->has_fenced = false;
    block->has_published = true;
    races->signals++;
}

uint32_t hone_emu_global_races_world(const struct hone_emu_global_races *races)
{
    return races->signals;
}

const struct hone_emu_vector *
hone_emu_global_races_told(const struct hone_emu_global_races *races, uint32_t block,
                           uint32_t world, const struct hone_emu_vector *known)
{
    if (block >= races->count) return NULL; // it has not begun in this run
    const struct hone_emu_race_block *other = &races->blocks[block];
    return known->clocks[HONE_EMU_WORLD] > world && other->has_published
               ? &other->published
               : NULL;
}

bool hone_emu_global_races_ordered(const struct hone_emu_global_races *races,
                                   uint32_t block, hone_emu_stamp stamp, uint32_t world,
                                   const struct hone_emu_vector *known)
{
    const struct hone_emu_vector *told =
        hone_emu_global_races_told(races, block, world, known);
    return told && hone_emu_vector_has(told, stamp);
}
