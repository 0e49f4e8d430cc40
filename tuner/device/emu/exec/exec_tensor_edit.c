// Tensor maps that a kernel changes: one field at a time in shared or global memory
// (tensormap.replace), a whole one from shared to global memory
// (tensormap.cp_fenceproxy), and the fence by which copies see it. Semantics: PTX ISA
// 9.0, sections 9.7.9.28 and 9.7.13.4.
#include "exec_tensor.h"

// ---- where a map is changed ----

static bool edit_refuse(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                        int lane, uint64_t address, const char *what)
{
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_TENSOR_MAP,
                   "a tensor map that is to be changed, at 0x%llx, %s",
                   (unsigned long long)(address & ~HONE_EMU_WINDOW_MASK), what);
    return false;
}

static uint64_t read_address(const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, unsigned k, int lane)
{
    const bool wide = insn->wide & 0x80U >> k;
    const int64_t offset = k ? insn->offset2 : insn->offset;
    const uint64_t at =
        hone_emu_read_lane(warp, insn->src[k], lane, wide) + (uint64_t)offset;
    return wide ? at : (uint32_t)at;
}

// Host memory of a map; NULL after a fault.
static uint8_t *find_map(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                         int lane, enum ptx_space space, uint64_t address)
{
    const struct hone_emu_block *block = warp->block;
    if (space == PTX_GENERIC &&
        (address & HONE_EMU_WINDOW_MASK) == HONE_EMU_SHARED_WINDOW)
        space = PTX_SHARED;
    if (space == PTX_SHARED) address &= ~HONE_EMU_WINDOW_MASK;
    uint8_t *host = NULL;
    if (space == PTX_SHARED && block->shared_bytes >= HONE_MAP_BYTES &&
        address <= block->shared_bytes - HONE_MAP_BYTES)
        host = block->shared + address;
    else if (space != PTX_SHARED)
        host = hone_emu_memory_at(warp->launch->memory, address, HONE_MAP_BYTES);
    const struct hone_emu_range *range =
        host && space != PTX_SHARED ? hone_emu_memory_find(warp->launch->memory, address)
                                    : NULL;
    if (!host)
        edit_refuse(warp, insn, lane, address, "does not lie in shared or global memory");
    else if (address % HONE_MAP_ALIGNMENT)
        edit_refuse(warp, insn, lane, address, "is not at a multiple of 64");
    else if (range && range->read_only)
        edit_refuse(warp, insn, lane, address, "lies in read-only memory");
    else
        return host;
    return NULL;
}

// ---- fields ----

// tensormap.replace has other numbers for the types from the ninth on than a driver.
static uint32_t type_of(uint64_t number)
{
    static const uint8_t types[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
    return number < sizeof types ? types[number] : UINT8_MAX;
}

static uint32_t clip(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void set_field(struct hone_tensor_map *map, uint64_t *base, uint8_t field,
                      uint64_t axis, uint64_t value)
{
    static const uint32_t swizzles[] = {0, 32, 64, 128};
    switch (field) {
    case MODE_GLOBAL_ADDRESS:
        *base = value;
        break;
    case MODE_RANK:
        map->rank = clip(value + 1);
        break;
    case MODE_BOX_DIM:
        map->box[axis] = clip(value);
        break;
    case MODE_GLOBAL_DIM:
        map->size[axis] = value;
        break;
    case MODE_GLOBAL_STRIDE:
        map->stride_bytes[axis + 1] = value;
        break;
    case MODE_ELEMENT_STRIDE:
        map->step[axis] = value ? clip(value) : UINT32_MAX;
        break;
    case MODE_ELEMTYPE:
        map->type = type_of(value);
        break;
    case MODE_INTERLEAVE:
        map->modes.interleave = value < 3 ? (uint32_t)value * 16 : 1;
        break;
    case MODE_SWIZZLE:
        map->modes.swizzle = value < 4 ? swizzles[value] : 1;
        break;
    default:
        map->modes.nan_fill = value != 0;
        break;
    }
}

static bool is_zeroed(const uint8_t *bytes)
{
    for (int k = 0; k < HONE_MAP_BYTES; k++)
        if (bytes[k]) return false;
    return true;
}

static bool replace_field(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane)
{
    const uint64_t at = read_address(warp, insn, 0, lane);
    const bool wide = hone_ptx_type_bits((enum ptx_type)insn->type) == 64;
    const uint64_t value = hone_emu_read_lane(warp, insn->src[1], lane, wide);
    struct hone_tensor_map map;
    uint64_t base;
    uint8_t *host = find_map(warp, insn, lane, (enum ptx_space)insn->space, at);
    if (!host) return false;
    // a map may be made of zeroed bytes, as Triton does, field by field
    if (!hone_map_unpack(host, &map, &base) && !is_zeroed(host))
        return edit_refuse(warp, insn, lane, at,
                           "is none: its bytes are not what an encoder writes");
    set_field(&map, &base, insn->mode, (uint64_t)insn->imm, value);
    hone_map_pack(&map, base, host);
    if (insn->space != PTX_SHARED)
        hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_CHANGED, at);
    return true;
}

void hone_emu_tensor_replace(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        if (!replace_field(warp, insn, __builtin_ctz(m))) return;
}

// The warp copies one map; its lanes give the same addresses.
void hone_emu_tensor_publish(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    if (!hone_emu_gather(warp, insn, UINT32_MAX)) return;
    const int lane = __builtin_ctz(warp->mask);
    const uint64_t to = read_address(warp, insn, 0, lane);
    uint8_t *target = find_map(warp, insn, lane, PTX_GLOBAL, to);
    const uint8_t *source =
        target ? find_map(warp, insn, lane, PTX_SHARED, read_address(warp, insn, 1, lane))
               : NULL;
    if (!source) return;
    memcpy(target, source, HONE_MAP_BYTES);
    hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_CHANGED, to);
}

void hone_emu_tensor_acquire(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_ACQUIRED,
                             read_address(warp, insn, 0, lane));
    }
}
