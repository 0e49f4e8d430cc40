// setmaxnreg: warp groups of a block hand registers to one another. What a thread keeps
// in them is not touched, here every register has a place of its own.
#include "emu_exec.h"

static void fault_apart(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                        const char *what)
{
    const uint32_t first = warp->index / HONE_EMU_GROUP_WARPS * HONE_EMU_GROUP_WARPS;
    hone_emu_fault(warp, insn, __builtin_ctz(warp->mask), HONE_CRASHED,
                   HONE_FINDING_DIVERGENCE,
                   "%s of the warp group of warps %u-%u: all of them execute each "
                   "setmaxnreg, and meet before the next one",
                   what, first, first + HONE_EMU_GROUP_WARPS - 1);
}

static void fault_way(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      uint32_t each)
{
    const uint32_t group = warp->index / HONE_EMU_GROUP_WARPS;
    const bool more = insn->op == EMU_INCREGS;
    hone_emu_fault(warp, insn, __builtin_ctz(warp->mask), HONE_CRASHED,
                   HONE_FINDING_REGISTERS,
                   "setmaxnreg.%s to %u registers a thread, it has %u",
                   more ? "inc" : "dec", each, warp->block->registers.groups[group].each);
}

// Registers have become free: those that wait for them ask again.
static void wake(struct hone_emu_block *block)
{
    block->events++;
    for (uint32_t k = 0; k < block->warp_count; k++) {
        struct hone_emu_warp *warp = &block->warps[k];
        for (uint32_t s = 0; s < warp->split_count; s++)
            if (warp->splits[s].state == SPLIT_POOL) warp->splits[s].state = SPLIT_READY;
    }
}

void hone_emu_set_registers(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct hone_emu_register_pool *pool = &warp->block->registers;
    const uint32_t each = (uint32_t)insn->imm;
    const bool more = insn->op == EMU_INCREGS;
    if (!hone_emu_gather(warp, insn, UINT32_MAX)) return;
    switch (hone_emu_pool_set(pool, warp->index, each, more)) {
    case HONE_EMU_POOL_DONE:
        if (!more) wake(warp->block);
        return;
    case HONE_EMU_POOL_WAITS:
        hone_emu_park(warp, insn, SPLIT_POOL, 0, 0);
        return;
    case HONE_EMU_POOL_WRONG_WAY:
        fault_way(warp, insn, each);
        return;
    case HONE_EMU_POOL_APART:
        fault_apart(warp, insn, "setmaxnreg by a part");
        return;
    case HONE_EMU_POOL_LEFT:
        fault_apart(warp, insn, "setmaxnreg after the exit of a part");
        return;
    }
}

void hone_emu_leave_group(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    if (!hone_emu_pool_leave(&warp->block->registers, warp->index))
        fault_apart(warp, insn, "exit without the setmaxnreg of others");
}
