#include "exec_moment.h"

void hone_emu_moment_begin(struct hone_emu_block *block)
{
    const uint64_t x = block->id[0], y = block->id[1], z = block->id[2];
    if (block->launch->copy_time == HONE_EMU_COPY_RANDOM || block->launch->woven)
        hone_rng_seed(&block->random, (x | y << 31 | z << 47) ^ block->launch->seed);
}

// One in n.
static bool is_drawn(struct hone_emu_block *block, uint64_t n)
{
    return hone_rng_below(&block->random, n) == 0;
}

bool hone_emu_made_at_once(struct hone_emu_block *block)
{
    const enum hone_emu_copy_time when = block->launch->copy_time;
    return when == HONE_EMU_COPY_EAGER ||
           (when == HONE_EMU_COPY_RANDOM && is_drawn(block, 4));
}

bool hone_emu_made_between(struct hone_emu_block *block)
{
    return block->launch->copy_time == HONE_EMU_COPY_RANDOM && is_drawn(block, 4);
}

bool hone_emu_fails_early(struct hone_emu_block *block)
{
    return block->launch->copy_time == HONE_EMU_COPY_RANDOM && is_drawn(block, 2);
}
