#include "tensor_map.h"

#include <assert.h>

static uint32_t step_of(const struct hone_tensor_map *map, uint32_t axis)
{
    return map->step[axis] ? map->step[axis] : 1;
}

// Elements of an axis that are copied.
static uint32_t count_of(const struct hone_tensor_map *map, uint32_t axis)
{
    const uint32_t step = axis ? step_of(map, axis) : 1; // the innermost has none
    return (map->box[axis] + step - 1) / step;
}

static uint32_t elements_of_line(const struct hone_tensor_map *map)
{
    return map->pixels.channels ? map->pixels.channels : map->box[0];
}

static uint64_t count_lines(const struct hone_tensor_map *map)
{
    uint64_t lines = 1;
    if (map->pixels.channels) return map->pixels.count;
    for (uint32_t i = 1; i < map->rank; i++)
        lines *= count_of(map, i);
    return lines;
}

uint64_t hone_emu_tensor_bytes(const struct hone_tensor_map *map)
{
    return count_lines(map) * elements_of_line(map) * hone_map_type_bytes(map->type);
}

void hone_emu_tensor_begin(struct hone_emu_tensor_walk *walk,
                           const struct hone_tensor_map *map, uint64_t base,
                           const int32_t *coordinates, const uint16_t *offsets)
{
    assert(map->rank >= 1 && map->rank <= HONE_MAP_RANK_MAX);
    *walk = (struct hone_emu_tensor_walk){.map = map,
                                          .base = base,
                                          .lines = count_lines(map),
                                          .line_bytes = elements_of_line(map) *
                                                        hone_map_type_bytes(map->type)};
    for (uint32_t i = 0; i < map->rank; i++)
        walk->first[i] = walk->at[i] = coordinates[i];
    for (uint32_t i = 0; offsets && i + 2 < map->rank; i++)
        walk->offsets[i] = offsets[i];
}

// ---- lines ----

// Where the line is along an axis.
static int64_t place(const struct hone_emu_tensor_walk *walk, uint32_t axis)
{
    const bool moved = axis > 0 && axis + 1 < walk->map->rank;
    return walk->at[axis] + (moved ? (int64_t)walk->offsets[axis - 1] : 0);
}

static bool is_inside(const struct hone_emu_tensor_walk *walk)
{
    for (uint32_t i = 1; i < walk->map->rank; i++) {
        const int64_t at = place(walk, i);
        if (at < 0 || (uint64_t)at >= walk->map->size[i]) return false;
    }
    return true;
}

static void cut(const struct hone_emu_tensor_walk *walk,
                struct hone_emu_tensor_line *line)
{
    const struct hone_tensor_map *map = walk->map;
    const int64_t count = elements_of_line(map), first = walk->at[0];
    const int64_t left = (int64_t)map->size[0] - first;
    const uint32_t bytes = hone_map_type_bytes(map->type);
    const int64_t begin = first < 0 ? (-first < count ? -first : count) : 0;
    int64_t end = left < count ? left : count;
    if (end < begin || !is_inside(walk)) end = begin;
    line->before = (uint32_t)begin * bytes;
    line->bytes = (uint32_t)(end - begin) * bytes;
    line->after = (uint32_t)(count - end) * bytes;
    line->global = walk->base + (uint64_t)(first + begin) * bytes;
    for (uint32_t i = 1; i < map->rank; i++)
        line->global += (uint64_t)place(walk, i) * map->stride_bytes[i];
}

static void next_of_box(struct hone_emu_tensor_walk *walk)
{
    const struct hone_tensor_map *map = walk->map;
    for (uint32_t i = 1; i < map->rank; i++) {
        const uint32_t step = step_of(map, i);
        walk->at[i] += step;
        if (walk->at[i] < walk->first[i] + (int64_t)count_of(map, i) * step) return;
        walk->at[i] = walk->first[i];
    }
}

// Pixels go through the box between the corners, then through the next image's.
static void next_pixel(struct hone_emu_tensor_walk *walk)
{
    const struct hone_tensor_map *map = walk->map;
    for (uint32_t i = 1; i + 1 < map->rank; i++) {
        const int64_t last = (int64_t)map->size[i] - 1 + map->pixels.upper[i - 1];
        walk->at[i] += step_of(map, i);
        if (walk->at[i] <= last) return;
        walk->at[i] = map->pixels.lower[i - 1];
    }
    walk->at[map->rank - 1] += step_of(map, map->rank - 1);
}

bool hone_emu_tensor_next(struct hone_emu_tensor_walk *walk,
                          struct hone_emu_tensor_line *line)
{
    if (walk->line == walk->lines) return false;
    line->shared = (uint32_t)walk->line++ * walk->line_bytes;
    cut(walk, line);
    if (walk->map->pixels.channels)
        next_pixel(walk);
    else
        next_of_box(walk);
    return true;
}

// ---- shared memory ----

// Bits 7 and up of the address change as many bits from the atom's size up, within 128
// bytes: the tables of PTX ISA 9.0, section 5.5.8.
uint32_t hone_emu_tensor_swizzle(const struct hone_map_modes *modes, uint32_t address)
{
    const uint32_t atom = modes->atom ? modes->atom : 16;
    if (!modes->swizzle) return address;
    const uint32_t line = address >> 7;
    if (modes->flip && line & 1) address ^= 8;
    return address ^ (line & (modes->swizzle / atom - 1)) * atom;
}

uint32_t hone_emu_tensor_piece(const struct hone_map_modes *modes, uint32_t address)
{
    const uint32_t most = modes->flip ? 8 : modes->atom ? modes->atom : 16;
    return modes->swizzle ? most - address % most : UINT32_MAX;
}

// ---- outside ----

/* clang-format off */
#define TIMES_4(x)   x, x, x, x
#define TIMES_256(x) TIMES_4(TIMES_4(TIMES_4(TIMES_4(x))))
/* clang-format on */

// A NaN has all bits but the sign: which one a GPU writes is not published.
const uint8_t *hone_emu_tensor_fill(const struct hone_tensor_map *map)
{
    static const uint8_t zeros[HONE_EMU_LINE_MOST] = {0};
    static const uint16_t halves[] = {TIMES_4(TIMES_256(0x7fff))};
    static const uint32_t words[] = {TIMES_256(0x7fffffff), TIMES_256(0x7fffffff)};
    static const uint64_t longs[] = {TIMES_256(UINT64_C(0x7fffffffffffffff))};
    _Static_assert(sizeof halves == HONE_EMU_LINE_MOST, "a line of halves");
    _Static_assert(sizeof words == HONE_EMU_LINE_MOST, "a line of words");
    _Static_assert(sizeof longs == HONE_EMU_LINE_MOST, "a line of longs");
    if (!map->modes.nan_fill) return zeros;
    switch (hone_map_type_bytes(map->type)) {
    case 2:
        return (const uint8_t *)halves;
    case 4:
        return (const uint8_t *)words;
    case 8:
        return (const uint8_t *)longs;
    default:
        return zeros;
    }
}
