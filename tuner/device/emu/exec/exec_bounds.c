// Illegal accesses to memory: which lane made one, and why it is none.
#include <stdio.h>

#include "emu_exec.h"

// Constants lie in the window of global memory; the instruction says what was meant.
static const char *space_name(const struct hone_emu_insn *insn, enum ptx_space space)
{
    if (insn->space == PTX_CONST) return "constant";
    switch (space) {
    case PTX_SHARED:
        return "shared";
    case PTX_LOCAL:
        return "local";
    case PTX_PARAM:
        return "parameter";
    case PTX_CONST:
    case PTX_GLOBAL:
    case PTX_GENERIC:
    case PTX_SPACE_NONE:
        break;
    }
    return "global";
}

static const char *access_name(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_ST || insn->op == EMU_STMATRIX   ? "store"
           : insn->op == EMU_ATOM                           ? "atomic"
           : insn->op == EMU_LD || insn->op == EMU_LDMATRIX ? "load"
           : insn->op == EMU_CPASYNC                        ? "copy"
                                                            : "mbarrier";
}

static void out_of_bounds(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, enum ptx_space space,
                          const struct hone_emu_range *range, uint64_t address,
                          uint32_t bytes)
{
    char where[96] = "";
    const struct hone_emu_memory *memory = warp->launch->memory;
    const struct hone_emu_range *next = NULL; // the one above, when it is near
    if (space == PTX_GLOBAL) next = range ? range + 1 : memory->ranges;
    if (next && (next == memory->ranges + memory->count || next->base - address > 65536))
        next = NULL;
    if (next)
        snprintf(where, sizeof where, ", %llu bytes before a buffer of %llu bytes",
                 (unsigned long long)(next->base - address),
                 (unsigned long long)next->bytes);
    else if (range && address >= range->base + range->bytes)
        snprintf(where, sizeof where, ", %llu bytes past %s of %llu bytes",
                 (unsigned long long)(address - range->base - range->bytes),
                 space == PTX_GLOBAL ? "a buffer" : "an area",
                 (unsigned long long)range->bytes);
    else if (range && address + bytes > range->base + range->bytes)
        snprintf(where, sizeof where, " across the end of a buffer of %llu bytes",
                 (unsigned long long)range->bytes);
    if (hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                       "out-of-bounds %s %s of %u bytes%s", space_name(insn, space),
                       access_name(insn), bytes, where) &&
        space == PTX_GLOBAL)
        hone_emu_name_buffer(warp->launch->fault, warp->launch,
                             next    ? next->base
                             : range ? range->base
                                     : 0);
}

// Is this one address fine? If not, the fault is recorded.
static bool check_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane, enum ptx_space space, uint64_t address, uint32_t bytes)
{
    const struct hone_emu_launch *launch = warp->launch;
    struct hone_emu_range window = {0};
    const struct hone_emu_range *range = &window;
    if (space == PTX_SHARED) window.bytes = warp->block->shared_bytes;
    if (space == PTX_LOCAL) window.bytes = launch->code->local_bytes;
    if (space == PTX_PARAM) window.bytes = launch->code->param_bytes;
    if (space == PTX_GLOBAL || space == PTX_CONST || space == PTX_GENERIC)
        range = hone_emu_memory_find(launch->memory, address);
    if (!range || bytes > range->bytes || address - range->base > range->bytes - bytes) {
        out_of_bounds(warp, insn, lane, space, range, address, bytes);
        return false;
    }
    if (address & (bytes - 1)) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_MISALIGNED,
                       "misaligned %s %s of %u bytes", space_name(insn, space),
                       access_name(insn), bytes);
        return false;
    }
    bool writes = insn->op == EMU_ST || insn->op == EMU_ATOM;
    if (writes && (range->read_only || space == PTX_PARAM)) {
        hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_READ_ONLY,
                       "%s to read-only memory", access_name(insn));
        return false;
    }
    return true;
}

bool hone_emu_explain_access(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                             enum ptx_space space, const uint64_t *addresses,
                             uint32_t bytes)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        if (warp->mask >> l & 1 && !check_lane(warp, insn, l, space, addresses[l], bytes))
            return false;
    return true;
}
