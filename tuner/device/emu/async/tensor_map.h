/* Which bytes a copy by tensor map takes, and where in shared memory they go (PTX ISA
 * 9.0, sections 5.5 and 9.7.9.27): a box of a tensor of 1 to 5 axes, or pixels of a box
 * (im2col). A copy is a sequence of lines along the innermost axis, packed one after
 * another; a swizzle then moves pieces of them, by the bits of the address in shared
 * memory. Nothing here touches memory. */
#ifndef HONE_DEVICE_EMU_ASYNC_TENSOR_MAP_H
#define HONE_DEVICE_EMU_ASYNC_TENSOR_MAP_H

#include "hone/tensor_map.h"

/* Bytes of a line at most: 256 elements of 8. */
enum { HONE_EMU_LINE_MOST = 2048 };

/* Elements side by side, in both memories: those before and after lie outside of the
 * tensor. */
struct hone_emu_tensor_line {
    uint64_t global;               /* address of the first byte inside */
    uint32_t shared;               /* of the line, in the packed box */
    uint32_t before, bytes, after; /* bytes outside, inside, outside */
};

struct hone_emu_tensor_walk {
    const struct hone_tensor_map *map; /* borrowed */
    uint64_t base;
    uint32_t offsets[HONE_MAP_RANK_MAX - 2]; /* of pixels, added to their places */
    int64_t first[HONE_MAP_RANK_MAX], at[HONE_MAP_RANK_MAX];
    uint64_t line, lines;
    uint32_t line_bytes;
};

/* Begin the copy at those coordinates, innermost first. The map was checked; offsets of a
 * map of pixels are those of its axes 2 and on, NULL: 0. */
void hone_emu_tensor_begin(struct hone_emu_tensor_walk *walk,
                           const struct hone_tensor_map *map, uint64_t base,
                           const int32_t *coordinates, const uint16_t *offsets);
/* The next line; false after the last one. */
bool hone_emu_tensor_next(struct hone_emu_tensor_walk *walk,
                          struct hone_emu_tensor_line *line);

/* Bytes of the whole box, which an mbarrier counts: what lies outside is filled. Its
 * rules allow more than any shared memory has: whoever walks it looks at that first. */
uint64_t hone_emu_tensor_bytes(const struct hone_tensor_map *map);

/* Where the byte goes that would be at that address of shared memory, and how many from
 * it on stay beside each other. */
uint32_t hone_emu_tensor_swizzle(const struct hone_map_modes *modes, uint32_t address);
uint32_t hone_emu_tensor_piece(const struct hone_map_modes *modes, uint32_t address);

/* HONE_EMU_LINE_MOST bytes of what lies outside: zeros, or NaN of the map's type. */
const uint8_t *hone_emu_tensor_fill(const struct hone_tensor_map *map);

#endif
