// Special registers: what each holds, and the registers that hold them.
#include "emu_exec.h"

#include <assert.h>
#include <string.h>

uint64_t hone_emu_clock(const struct hone_emu_warp *warp, enum emu_special which)
{
    // one instruction a cycle, one cycle a nanosecond: monotonic, and the same on every
    // run
    uint64_t cycles = warp->executed + warp->launch->executed;
    bool high = which == SPECIAL_CLOCK_HI || which == SPECIAL_GLOBALTIMER_HI;
    return high ? cycles >> 32 : cycles;
}

static uint32_t lane_mask(enum emu_special which, uint32_t bit)
{
    const uint32_t below = bit - 1;
    if (which == SPECIAL_EQ) return bit;
    if (which == SPECIAL_LT) return below;
    if (which == SPECIAL_LE) return below | bit;
    return which == SPECIAL_GE ? ~below : ~(below | bit);
}

// Sizes of shared memory, and places of what is kept for the driver at its beginning.
static uint64_t shared_bytes_of(const struct hone_emu_warp *warp, enum emu_special which)
{
    const uint32_t reserved = warp->launch->code->reserved_shared_bytes;
    if (which == SPECIAL_DYNSMEM) return warp->launch->shared_bytes;
    if (which == SPECIAL_TOTALSMEM) return warp->block->shared_bytes - reserved;
    if (which == SPECIAL_AGGRSMEM) return warp->block->shared_bytes;
    if (which == SPECIAL_RESERVED_1) return reserved / 2; // behind the driver's own
    return which == SPECIAL_RESERVED_END || which == SPECIAL_RESERVED_CAP ? reserved : 0;
}

// x, y or z of the thread, the block's size, its number or the grid's size.
static uint32_t coordinate(const struct hone_emu_warp *warp, enum emu_special which,
                           int lane)
{
    static_assert(SPECIAL_NCTAID_Z - SPECIAL_TID_X == 11, "four kinds, x, y and z each");
    const struct hone_emu_launch *launch = warp->launch;
    uint32_t thread[3];
    hone_emu_thread(warp, lane, thread);
    const uint32_t *const kinds[] = {thread, launch->block, warp->block->id,
                                     launch->grid};
    const unsigned n = which - SPECIAL_TID_X;
    return kinds[n / 3][n % 3];
}

static uint32_t cluster_value(const struct hone_emu_block *block, enum emu_special which)
{
    static_assert(SPECIAL_CL_CTAID_X - SPECIAL_CLUSTERID_X == 3, "x, y and z each");
    const struct hone_emu_launch *launch = block->launch;
    const uint32_t *size = launch->cluster;
    if (which >= SPECIAL_CLUSTERID_X && which <= SPECIAL_CLUSTERID_Z) {
        const unsigned k = which - SPECIAL_CLUSTERID_X;
        return block->id[k] / size[k];
    }
    if (which >= SPECIAL_CL_CTAID_X && which <= SPECIAL_CL_CTAID_Z) {
        const unsigned k = which - SPECIAL_CL_CTAID_X;
        return block->id[k] % size[k];
    }
    if (which >= SPECIAL_NCLUSTERID_X && which <= SPECIAL_NCLUSTERID_Z) {
        const unsigned k = which - SPECIAL_NCLUSTERID_X;
        return launch->grid[k] / size[k];
    }
    if (which >= SPECIAL_CL_NCTAID_X && which <= SPECIAL_CL_NCTAID_Z)
        return size[which - SPECIAL_CL_NCTAID_X];
    return which == SPECIAL_CL_RANK ? block->rank : hone_emu_cluster_size(launch);
}

static uint64_t special_value(const struct hone_emu_warp *warp, enum emu_special which,
                              int lane)
{
    const struct hone_emu_launch *launch = warp->launch;
    if (which >= SPECIAL_TID_X && which <= SPECIAL_NCTAID_Z)
        return coordinate(warp, which, lane);
    if (which >= SPECIAL_CLUSTERID_X && which <= SPECIAL_CL_EXPLICIT)
        return cluster_value(warp->block, which);
    switch ((int)which) {
    case SPECIAL_LANEID:
        return (uint64_t)lane;
    case SPECIAL_WARPID:
        return warp->index;
    case SPECIAL_NWARPID:
        return warp->block->warp_count;
    case SPECIAL_NSMID:
        return 1;
    case SPECIAL_LT:
    case SPECIAL_LE:
    case SPECIAL_EQ:
    case SPECIAL_GE:
    case SPECIAL_GT:
        return lane_mask(which, UINT32_C(1) << lane);
    case SPECIAL_DYNSMEM:
    case SPECIAL_TOTALSMEM:
    case SPECIAL_AGGRSMEM:
    case SPECIAL_RESERVED_BEGIN:
    case SPECIAL_RESERVED_END:
    case SPECIAL_RESERVED_CAP:
    case SPECIAL_RESERVED_0:
    case SPECIAL_RESERVED_1:
        return shared_bytes_of(warp, which);
    case SPECIAL_ENVREG1:
        return launch->grid_workspace >> 32;
    case SPECIAL_ENVREG2:
        return launch->grid_workspace & UINT32_MAX;
    default: // the numbers of the multiprocessor and of the grid, and clocks
        return 0;
    }
}

void hone_emu_write_specials(struct hone_emu_warp *warp, bool only_block)
{
    const struct hone_emu_code *code = warp->launch->code;
    for (size_t k = 0; k < code->special_count; k++) {
        const struct hone_emu_special_use *use = &code->specials[k];
        const bool of_block =
            (use->which >= SPECIAL_CTAID_X && use->which <= SPECIAL_CTAID_Z) ||
            (use->which >= SPECIAL_CLUSTERID_X && use->which <= SPECIAL_CL_RANK);
        if (only_block && !of_block) continue;
        if (use->which == SPECIAL_CL_EXPLICIT) { // a predicate has a bit a lane
            const uint32_t lanes = warp->launch->explicit_cluster ? UINT32_MAX : 0;
            memcpy(warp->regs + use->reg, &lanes, sizeof lanes);
            continue;
        }
        for (int l = 0; l < HONE_EMU_LANES; l++) {
            uint64_t value = special_value(warp, use->which, l);
            uint32_t word = (uint32_t)value;
            if (use->which == SPECIAL_GRIDID)
                memcpy(warp->regs + use->reg + l * 8, &value, 8);
            else
                memcpy(warp->regs + use->reg + l * 4, &word, 4);
        }
    }
}
