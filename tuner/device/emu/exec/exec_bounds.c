// Illegal accesses to memory: which lane made one, and why it is none.
#include <stdio.h>
#include <string.h>

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

static bool is_of_object(const struct hone_emu_insn *insn)
{
    const char *name = hone_emu_forms[insn->form].name;
    return strncmp(name, "mbarrier", strlen("mbarrier")) == 0 ||
           insn->op == EMU_CPARRIVE || insn->op == EMU_CPARRIVEINC;
}

static const char *access_name(const struct hone_emu_insn *insn)
{
    switch (insn->op) {
    case EMU_ST:
    case EMU_STMATRIX:
    case EMU_STASYNC:
        return "store";
    case EMU_ATOM:
    case EMU_REDASYNC:
        return "atomic";
    case EMU_LD:
    case EMU_LDMATRIX:
        return "load";
    default:
        return is_of_object(insn) ? "mbarrier" : "copy";
    }
}

// ---- where an address is ----

static uint64_t window_of(enum ptx_space space)
{
    return space == PTX_SHARED  ? HONE_EMU_SHARED_WINDOW
           : space == PTX_LOCAL ? HONE_EMU_LOCAL_WINDOW
           : space == PTX_PARAM ? HONE_EMU_PARAM_WINDOW
                                : 0;
}

static enum ptx_space space_of(uint64_t window)
{
    return window == HONE_EMU_SHARED_WINDOW  ? PTX_SHARED
           : window == HONE_EMU_LOCAL_WINDOW ? PTX_LOCAL
           : window == HONE_EMU_PARAM_WINDOW ? PTX_PARAM
                                             : PTX_GLOBAL;
}

// An address that an instruction uses, without the window of its space.
struct spot {
    enum ptx_space space;
    uint64_t address;
};

// Spaces of copies stand in their names.
static bool is_generic(const struct hone_emu_insn *insn)
{
    return insn->space == PTX_GENERIC &&
           strncmp(hone_emu_forms[insn->form].name, "cp.", 3) != 0;
}

// Shared, local and parameter memory begin at 0, so what lies before them has a negative
// address, of 32 or 64 bits. A generic one is at the end of another window then, and one
// that mapa made at the end of the rank below.
static struct spot spot_of(const struct hone_emu_code *code,
                           const struct hone_emu_insn *insn, enum ptx_space space,
                           uint64_t address)
{
    const uint64_t whole = address + window_of(space);
    const uint64_t window = (whole + HONE_EMU_SHARED_WINDOW / 2) & HONE_EMU_WINDOW_MASK;
    struct spot spot = {space, address};
    if (is_generic(insn) && space_of(window) != PTX_GLOBAL)
        spot = (struct spot){space_of(window), whole - window};
    else if (window_of(space) && address >> 32 == 0)
        spot.address = (uint64_t)(int64_t)(int32_t)address;
    if (spot.space == PTX_SHARED && code->maps &&
        spot.address > HONE_EMU_OFFSET_MASK / 2 && spot.address <= HONE_EMU_OFFSET_MASK)
        spot.address |= ~HONE_EMU_OFFSET_MASK;
    return spot;
}

// ---- outside of memory ----

static void print_beside_area(char *out, size_t size, uint64_t area, uint64_t address,
                              uint32_t bytes)
{
    const unsigned long long all = area;
    if ((int64_t)address < 0)
        snprintf(out, size, ", %llu bytes before an area of %llu bytes", 0ULL - address,
                 all);
    else if (address >= area)
        snprintf(out, size, ", %llu bytes past an area of %llu bytes",
                 (unsigned long long)(address - area), all);
    else if (address + bytes > area)
        snprintf(out, size, " across the end of an area of %llu bytes", all);
}

// The buffer that the address is told by: the one that begins soon behind it, or the last
// one before it; NULL: it is nowhere near device memory.
static const struct hone_emu_range *beside(const struct hone_emu_memory *memory,
                                           uint64_t address)
{
    enum { NEAR = 65536 };
    const struct hone_emu_range *range = hone_emu_memory_find(memory, address);
    const struct hone_emu_range *next = range ? range + 1 : memory->ranges;
    const bool is_last = next == memory->ranges + memory->count;
    if (!is_last && next->base - address <= NEAR) return next;
    return address < HONE_EMU_DEVICE_BASE + memory->span ? range : NULL;
}

static void print_beside_buffer(char *out, size_t size,
                                const struct hone_emu_range *range, uint64_t address,
                                uint32_t bytes)
{
    const uint64_t past = address - range->base - range->bytes;
    if (address < range->base)
        snprintf(out, size, ", %llu bytes before a buffer of %llu bytes",
                 (unsigned long long)(range->base - address),
                 (unsigned long long)range->bytes);
    else if (address >= range->base + range->bytes)
        snprintf(out, size, ", %llu bytes past a buffer of %llu bytes",
                 (unsigned long long)past, (unsigned long long)range->bytes);
    else if (address + bytes > range->base + range->bytes)
        snprintf(out, size, " across the end of a buffer of %llu bytes",
                 (unsigned long long)range->bytes);
}

static void out_of_bounds(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, const struct spot *spot, uint64_t area,
                          uint32_t bytes)
{
    char where[96];
    const bool device = window_of(spot->space) == 0;
    const bool nowhere = spot->space == PTX_SHARED && warp->launch->code->maps &&
                         (int64_t)spot->address > (int64_t)HONE_EMU_OFFSET_MASK;
    const struct hone_emu_range *range =
        device ? beside(warp->launch->memory, spot->address) : NULL;
    snprintf(where, sizeof where, ", at 0x%llx, where no memory is",
             (unsigned long long)spot->address);
    if (!device && !nowhere)
        print_beside_area(where, sizeof where, area, spot->address, bytes);
    else if (range)
        print_beside_buffer(where, sizeof where, range, spot->address, bytes);
    if (hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_OUT_OF_BOUNDS,
                       "out-of-bounds %s %s of %u bytes%s", space_name(insn, spot->space),
                       access_name(insn), bytes, where) &&
        range)
        hone_emu_name_buffer(warp->launch->fault, warp->launch, range->base);
}

static uint64_t area_of(const struct hone_emu_warp *warp, enum ptx_space space)
{
    return space == PTX_SHARED  ? warp->block->shared_bytes
           : space == PTX_LOCAL ? warp->launch->code->local_bytes
                                : warp->launch->code->param_bytes;
}

bool hone_emu_explain_lane(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           int lane, enum ptx_space in, uint64_t at, uint32_t bytes)
{
    const struct spot spot = spot_of(warp->launch->code, insn, in, at);
    const enum ptx_space space = spot.space;
    const uint64_t address = spot.address;
    const struct hone_emu_range area = {.bytes = area_of(warp, space)};
    const struct hone_emu_range *range =
        window_of(space) ? &area : hone_emu_memory_find(warp->launch->memory, address);
    if (!range || bytes > range->bytes || address - range->base > range->bytes - bytes) {
        out_of_bounds(warp, insn, lane, &spot, area.bytes, bytes);
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
        if (warp->mask >> l & 1 &&
            !hone_emu_explain_lane(warp, insn, l, space, addresses[l], bytes))
            return false;
    return true;
}
