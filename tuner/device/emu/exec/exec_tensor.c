// Copies by tensor map, a lane at a time: the map and its rules, and the runs of bytes
// that become a bulk copy (exec_bulk.h). Semantics: PTX ISA 9.0, section 9.7.9.27.
#include "exec_tensor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "exec_bulk.h"

enum {
    ALIGNMENT = 128,
    CHANNELS = 2,        // axes that are not spatial
    MOST_BYTES = 1 << 30 // no block has as much shared memory
};

// ---- operands ----

static uint32_t tensor_word(const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, unsigned k, int lane)
{
    return (uint32_t)hone_emu_read_lane(warp, insn->src[k], lane, false);
}

// An address of shared memory; the first operand's offset stands apart.
static uint64_t read_shared(const struct hone_emu_warp *warp,
                            const struct hone_emu_insn *insn, unsigned k, int lane)
{
    const bool wide = insn->wide & 0x80U >> k;
    const int64_t offset = k ? insn->imm : insn->offset;
    const uint64_t at =
        hone_emu_read_lane(warp, insn->src[k], lane, wide) + (uint64_t)offset;
    return wide ? at : (uint32_t)at;
}

// Where a lane's copy begins; coordinates stand from source k on.
static void read_coordinates(const struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn, unsigned k, int lane,
                             int32_t *out)
{
    for (unsigned i = 0; i < insn->shape[0]; i++)
        out[i] = (int32_t)tensor_word(warp, insn, k + i, lane);
}

static void read_offsets(const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn, unsigned k, int lane,
                         uint16_t *out)
{
    for (unsigned i = 0; i + CHANNELS < insn->shape[0]; i++)
        out[i] = (uint16_t)tensor_word(warp, insn, k + i, lane);
}

// ---- the map ----

static bool refuse_map(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane, uint64_t address, const char *what)
{
    const uint64_t window = address & HONE_EMU_WINDOW_MASK;
    char place[HONE_EMU_DEVICE_TEXT];
    if (window)
        snprintf(place, sizeof place, "byte %llu of %s",
                 (unsigned long long)(address & ~HONE_EMU_WINDOW_MASK),
                 window == HONE_EMU_PARAM_WINDOW   ? "the parameters"
                 : window == HONE_EMU_LOCAL_WINDOW ? "local memory"
                                                   : "shared memory");
    else
        hone_emu_print_device(place, warp->launch, address);
    hone_emu_fault(warp, insn, lane, HONE_CRASHED, HONE_FINDING_TENSOR_MAP,
                   "the tensor map at %s %s", place, what);
    return false;
}

// NULL after a fault.
static const uint8_t *find_map(struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn, int lane,
                               uint64_t address)
{
    const struct hone_emu_launch *launch = warp->launch;
    const uint64_t at = address & ~HONE_EMU_WINDOW_MASK;
    const uint64_t window = address & HONE_EMU_WINDOW_MASK;
    const uint8_t *host = NULL;
    const char *wrong = "does not lie in memory";
    if (window == HONE_EMU_LOCAL_WINDOW || window == HONE_EMU_SHARED_WINDOW)
        wrong = window == HONE_EMU_LOCAL_WINDOW
                    ? "is a copy in local memory: a kernel takes it as const "
                      "__grid_constant__ CUtensorMap"
                    : "lies in shared memory: copies read it in parameters, constant or "
                      "global memory";
    else if (at % HONE_MAP_ALIGNMENT)
        wrong = "is not at a multiple of 64";
    else if (window == HONE_EMU_PARAM_WINDOW)
        host =
            at + HONE_MAP_BYTES <= launch->code->param_bytes ? launch->params + at : NULL;
    else
        host = hone_emu_memory_at(launch->memory, address, HONE_MAP_BYTES);
    if (!host) refuse_map(warp, insn, lane, address, wrong);
    return host;
}

bool hone_emu_tensor_read(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, uint64_t address, struct hone_tensor_map *map,
                          uint64_t *base)
{
    char why[128], text[160];
    const uint8_t *host = find_map(warp, insn, lane, address);
    if (!host) return false;
    if (!hone_map_unpack(host, map, base))
        return refuse_map(warp, insn, lane, address,
                          "is none: its bytes are not what an encoder writes");
    if (hone_map_check(map, why, sizeof why) &&
        hone_map_check_base(map, *base, why, sizeof why))
        return true;
    snprintf(text, sizeof text, "has %s", why);
    return refuse_map(warp, insn, lane, address, text);
}

// Does the map fit the instruction?
static bool check_use(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                      int lane, uint64_t address, const struct hone_tensor_map *map)
{
    const bool pixels = insn->mode == MODE_IM2COL || insn->mode == MODE_NO_OFFS;
    char text[96];
    if (map->modes.interleave) {
        hone_emu_fault(warp, insn, lane, HONE_UNSUPPORTED, HONE_FINDING_NONE,
                       "a copy by a tensor map that interleaves %u bytes",
                       map->modes.interleave);
        return false;
    }
    if (map->rank == insn->shape[0] && pixels == (map->pixels.channels > 0)) return true;
    snprintf(text, sizeof text, "is one of %s with %u axes, the copy has %s and %u",
             map->pixels.channels ? "pixels (im2col)" : "boxes (tiled)", map->rank,
             pixels ? "pixels" : "boxes", insn->shape[0]);
    return refuse_map(warp, insn, lane, address, text);
}

void hone_emu_tensor_tell(const struct hone_emu_warp *warp,
                          const struct hone_emu_insn *insn, int lane,
                          enum hone_emu_map_event event, uint64_t address)
{
    const struct hone_emu_observer *observer = warp->block->observer;
    if (observer && observer->map && !(address & HONE_EMU_WINDOW_MASK))
        observer->map(observer->context, warp, insn, event, (uint32_t)lane, address);
}

// ---- runs ----

// The runs of a copy, as it is put together.
struct runs {
    struct hone_emu_warp *warp;
    const struct hone_emu_insn *insn;
    int lane;
    const struct hone_tensor_map *map;
    struct hone_emu_block *block; /* that the box is in */
    uint32_t at;                  /* of the box there */
    bool loads;
    struct hone_emu_bulk_run *items;
    size_t count, cap;
    struct hone_emu_range range; /* of device memory, that the last line was in */
};

static bool runs_out_of_memory(const struct runs *runs)
{
    hone_emu_fault(runs->warp, runs->insn, runs->lane, HONE_CRASHED, HONE_FINDING_NONE,
                   "no memory to follow a copy by tensor map");
    return false;
}

// Bytes that are side by side in the packed box, by pieces that stay so in shared memory.
static bool runs_add_bytes(struct runs *runs, uint32_t packed, uint32_t bytes,
                           uint8_t *global)
{
    const struct hone_map_modes *modes = &runs->map->modes;
    const uint32_t address = runs->at + packed;
    for (uint32_t done = 0, n; done < bytes; done += n) {
        uint8_t *shared =
            runs->block->shared + hone_emu_tensor_swizzle(modes, address + done);
        n = hone_emu_tensor_piece(modes, address + done);
        if (n > bytes - done) n = bytes - done;
        if (!HONE_GROW(&runs->items, &runs->cap, runs->count + 1, 256))
            return runs_out_of_memory(runs);
        runs->items[runs->count++] =
            (struct hone_emu_bulk_run){.to = runs->loads ? shared : global + done,
                                       .from = runs->loads ? global + done : shared,
                                       .bytes = n};
    }
    return true;
}

static void refuse_line(const struct runs *runs, const struct hone_emu_tensor_line *line,
                        const struct hone_emu_range *range)
{
    const uint64_t end = line->global + line->bytes;
    const bool past = range && line->global >= range->base;
    struct hone_emu_warp *warp = runs->warp;
    if (hone_emu_fault(warp, runs->insn, runs->lane, HONE_CRASHED,
                       HONE_FINDING_OUT_OF_BOUNDS,
                       "a %s by tensor map of %u bytes that are in the tensor but end "
                       "%llu bytes past the buffer of %llu bytes",
                       runs->loads ? "load" : "store", line->bytes,
                       (unsigned long long)(past ? end - range->base - range->bytes : 0),
                       (unsigned long long)(past ? range->bytes : 0)) &&
        past)
        hone_emu_name_buffer(warp->launch->fault, warp->launch, range->base);
}

// Host memory of a line's bytes in the tensor; NULL after a fault.
static uint8_t *find_line(struct runs *runs, const struct hone_emu_tensor_line *line)
{
    const struct hone_emu_memory *memory = runs->warp->launch->memory;
    const struct hone_emu_range *range = &runs->range;
    const uint64_t at = line->global;
    if (at < range->base || at - range->base >= range->bytes) {
        range = hone_emu_memory_find(memory, at);
        if (range) runs->range = *range;
    }
    if (!range || at < range->base || line->bytes > range->bytes ||
        at - range->base > range->bytes - line->bytes) {
        refuse_line(runs, line, range);
        return NULL;
    }
    if (!runs->loads && range->read_only) {
        hone_emu_fault(runs->warp, runs->insn, runs->lane, HONE_CRASHED,
                       HONE_FINDING_READ_ONLY, "store by tensor map to read-only memory");
        return NULL;
    }
    return hone_emu_memory_host(memory, at);
}

// What lies outside of the tensor is filled when loaded, and left out when stored.
static bool runs_add_line(struct runs *runs, const struct hone_emu_tensor_line *line)
{
    // it is only read, as loads do with it
    uint8_t *fill = (uint8_t *)(uintptr_t)hone_emu_tensor_fill(runs->map);
    const uint32_t inside = line->shared + line->before;
    uint8_t *global = NULL;
    if (line->bytes) {
        global = find_line(runs, line);
        if (!global) return false;
    }
    return (!runs->loads || runs_add_bytes(runs, line->shared, line->before, fill)) &&
           runs_add_bytes(runs, inside, line->bytes, global) &&
           (!runs->loads ||
            runs_add_bytes(runs, inside + line->bytes, line->after, fill));
}

// More than there can be is as good as the most: no block has it.
static uint32_t box_bytes(const struct hone_tensor_map *map)
{
    const uint64_t bytes = hone_emu_tensor_bytes(map);
    return bytes < MOST_BYTES ? (uint32_t)bytes : MOST_BYTES;
}

// The box in shared memory, which a swizzle fills up to its span.
static bool find_box(struct runs *runs, uint64_t address, uint32_t bytes)
{
    const uint32_t span = runs->map->modes.swizzle ? runs->map->modes.swizzle : 1;
    const uint32_t whole = (bytes + span - 1) / span * span;
    return hone_emu_bulk_shared(runs->warp, runs->insn, runs->lane, address, whole,
                                ALIGNMENT, &runs->block, &runs->at);
}

static bool runs_collect(struct runs *runs, uint64_t base, const int32_t *coordinates,
                         const uint16_t *offsets)
{
    struct hone_emu_tensor_walk walk;
    struct hone_emu_tensor_line line;
    hone_emu_tensor_begin(&walk, runs->map, base, coordinates, offsets);
    while (hone_emu_tensor_next(&walk, &line))
        if (!runs_add_line(runs, &line)) return false;
    return true;
}

// ---- loads ----

// Sources: shared memory, map, coordinates, mbarrier, offsets of pixels, blocks.
static bool start_load(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                       int lane)
{
    const unsigned mbarrier = 2U + insn->shape[0];
    const uint64_t at = hone_emu_read_lane(warp, insn->src[1], lane, true);
    struct hone_tensor_map map;
    uint64_t base;
    int32_t coordinates[HONE_MAP_RANK_MAX];
    uint16_t offsets[HONE_MAP_RANK_MAX - CHANNELS] = {0};
    struct runs runs = {
        .warp = warp, .insn = insn, .lane = lane, .map = &map, .loads = true};
    struct hone_emu_bulk bulk = {
        .insn = insn, .warp = warp, .lane = lane, .end = HONE_EMU_BULK_MBARRIER};
    struct hone_emu_block *owner;
    if (!hone_emu_tensor_read(warp, insn, lane, at, &map, &base) ||
        !check_use(warp, insn, lane, at, &map))
        return false;
    hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_USED, at);
    bulk.bytes = box_bytes(&map);
    if (!find_box(&runs, read_shared(warp, insn, 0, lane), bulk.bytes) ||
        !hone_emu_bulk_shared(warp, insn, lane, read_shared(warp, insn, mbarrier, lane),
                              8, 8, &owner, &bulk.mbarrier))
        return false;
    read_coordinates(warp, insn, 2, lane, coordinates);
    if (insn->mode == MODE_IM2COL) read_offsets(warp, insn, mbarrier + 1, lane, offsets);
    const bool collected = runs_collect(&runs, base, coordinates, offsets);
    bulk.runs = runs.items;
    bulk.run_count = runs.count;
    const uint32_t mask = (uint16_t)tensor_word(warp, insn, insn->src_count - 1U, lane);
    const bool fine = collected && (insn->op == EMU_TMACAST
                                        ? hone_emu_bulk_cast(runs.block, &bulk, mask)
                                        : hone_emu_bulk_start(owner, &bulk));
    free(runs.items);
    return fine;
}

void hone_emu_tensor_load(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        if (!start_load(warp, insn, __builtin_ctz(m))) return;
}

// ---- stores and reductions ----

// The type that a reduction has of the map's elements; PTX_NONE: there is no such one.
static enum ptx_type reduced_type(const struct hone_tensor_map *map, uint8_t logic)
{
    static const uint8_t types[] = {
        [2] = PTX_U32, [3] = PTX_S32, [4] = PTX_U64,  [5] = PTX_S64, [6] = PTX_F16,
        [7] = PTX_F32, [8] = PTX_F64, [9] = PTX_BF16, [10] = PTX_F32};
    enum ptx_type type = map->type < sizeof types ? types[map->type] : PTX_NONE;
    if (logic == LOGIC_AND || logic == LOGIC_OR || logic == LOGIC_XOR)
        type = type == PTX_U32 || type == PTX_S32   ? PTX_B32
               : type == PTX_U64 || type == PTX_S64 ? PTX_B64
                                                    : PTX_NONE;
    return hone_emu_bulk_reduces((enum emu_logic)logic, type, false) ? type : PTX_NONE;
}

static bool check_reduction(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            int lane, uint64_t at, const struct hone_tensor_map *map,
                            struct hone_emu_bulk *bulk)
{
    char text[96];
    if (insn->logic == LOGIC_NONE) return true;
    bulk->type = reduced_type(map, insn->logic);
    if (bulk->type != PTX_NONE) return true;
    snprintf(text, sizeof text, "is of elements (type %u) that this reduction has not",
             map->type);
    return refuse_map(warp, insn, lane, at, text);
}

// Sources: map, coordinates, shared memory.
static bool start_store(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                        int lane)
{
    const unsigned source = 1U + insn->shape[0];
    const uint64_t at = hone_emu_read_lane(warp, insn->src[0], lane, true);
    struct hone_tensor_map map;
    uint64_t base;
    int32_t coordinates[HONE_MAP_RANK_MAX];
    struct runs runs = {.warp = warp, .insn = insn, .lane = lane, .map = &map};
    struct hone_emu_bulk bulk = {.insn = insn,
                                 .warp = warp,
                                 .lane = lane,
                                 .end = HONE_EMU_BULK_GROUP,
                                 .to_global = true};
    if (!hone_emu_tensor_read(warp, insn, lane, at, &map, &base) ||
        !check_use(warp, insn, lane, at, &map) ||
        !check_reduction(warp, insn, lane, at, &map, &bulk))
        return false;
    hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_USED, at);
    bulk.bytes = box_bytes(&map);
    if (!find_box(&runs, read_shared(warp, insn, source, lane), bulk.bytes)) return false;
    read_coordinates(warp, insn, 1, lane, coordinates);
    const bool collected = runs_collect(&runs, base, coordinates, NULL);
    bulk.runs = runs.items;
    bulk.run_count = runs.count;
    const bool fine = collected && hone_emu_bulk_start(warp->block, &bulk);
    free(runs.items);
    return fine;
}

void hone_emu_tensor_store(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        if (!start_store(warp, insn, __builtin_ctz(m))) return;
}

// Caches are not emulated: the map alone is looked at.
void hone_emu_tensor_prefetch(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        const uint64_t at = hone_emu_read_lane(warp, insn->src[0], lane, true);
        struct hone_tensor_map map;
        uint64_t base;
        if (!hone_emu_tensor_read(warp, insn, lane, at, &map, &base) ||
            !check_use(warp, insn, lane, at, &map))
            return;
        hone_emu_tensor_tell(warp, insn, lane, HONE_EMU_MAP_USED, at);
    }
}
