// The registers of a block that setmaxnreg moves between warp groups.
#include "register_pool.h"

#include <string.h>

enum { LANES = 32 };

void hone_emu_pool_begin(struct hone_emu_register_pool *pool, uint32_t launched,
                         uint32_t warps)
{
    *pool = (struct hone_emu_register_pool){.launched = launched};
    for (uint32_t k = 0; k < warps; k++) {
        struct hone_emu_warp_group *group = &pool->groups[k / HONE_EMU_GROUP_WARPS];
        group->each = launched;
        group->exists |= (uint8_t)(1U << k % HONE_EMU_GROUP_WARPS);
    }
}

static uint32_t warps_of(const struct hone_emu_warp_group *group)
{
    return (uint32_t)__builtin_popcount(group->exists);
}

uint32_t hone_emu_pool_lack(const struct hone_emu_register_pool *pool, uint32_t warp,
                            uint32_t each)
{
    const struct hone_emu_warp_group *group = &pool->groups[warp / HONE_EMU_GROUP_WARPS];
    return LANES * warps_of(group) * (each - group->each);
}

// The first warp of a group comes to a setmaxnreg.
static enum hone_emu_pool_answer begin_change(struct hone_emu_register_pool *pool,
                                              uint32_t warp, uint32_t each, bool more)
{
    struct hone_emu_warp_group *group = &pool->groups[warp / HONE_EMU_GROUP_WARPS];
    if (more ? each < group->each : each > group->each) return HONE_EMU_POOL_WRONG_WAY;
    if (group->left) return HONE_EMU_POOL_LEFT;
    const uint32_t lack = more ? hone_emu_pool_lack(pool, warp, each) : 0;
    if (lack > pool->free) return HONE_EMU_POOL_WAITS;
    pool->free -= lack;
    group->target = each;
    return HONE_EMU_POOL_DONE;
}

enum hone_emu_pool_answer hone_emu_pool_set(struct hone_emu_register_pool *pool,
                                            uint32_t warp, uint32_t each, bool more)
{
    struct hone_emu_warp_group *group = &pool->groups[warp / HONE_EMU_GROUP_WARPS];
    const uint8_t bit = (uint8_t)(1U << warp % HONE_EMU_GROUP_WARPS);
    if (pool->launched == 0) return HONE_EMU_POOL_DONE;
    if (group->came && (group->came & bit || group->target != each))
        return HONE_EMU_POOL_APART;
    if (!group->came) {
        const enum hone_emu_pool_answer answer = begin_change(pool, warp, each, more);
        if (answer != HONE_EMU_POOL_DONE) return answer;
    }
    if (!more) pool->free += LANES * (group->each - each);
    group->came |= bit;
    if (group->came == group->exists) {
        group->came = 0;
        group->each = each;
    }
    return HONE_EMU_POOL_DONE;
}

bool hone_emu_pool_leave(struct hone_emu_register_pool *pool, uint32_t warp)
{
    struct hone_emu_warp_group *group = &pool->groups[warp / HONE_EMU_GROUP_WARPS];
    const uint8_t bit = (uint8_t)(1U << warp % HONE_EMU_GROUP_WARPS);
    if (pool->launched == 0) return true;
    if (group->came && !(group->came & bit)) return false;
    group->left |= bit;
    return true;
}
