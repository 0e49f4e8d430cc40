/* Where a copy by tensor map puts each byte, element by element, from the tables of PTX
 * ISA 9.0 (section 5.5) written out: shares nothing with the emulator's walk but the
 * description of a map. */
#ifndef HONE_TEST_TENSOR_ORACLE_H
#define HONE_TEST_TENSOR_ORACLE_H

#include <string.h>

#include "hone/tensor_map.h"

/* What byte of global memory a byte of shared memory holds: its address, or one of these. */
#define ORACLE_UNTOUCHED UINT64_MAX
#define ORACLE_FILLED    (UINT64_MAX - 1)

/* Chunk c of line l of 128 bytes goes to table[l % lines][c % chunks] of its group. */
static const uint8_t oracle_of_8[8][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5},
    {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
    {6, 7, 4, 5, 2, 3, 0, 1}, {7, 6, 5, 4, 3, 2, 1, 0}};

static inline uint32_t oracle_place(const struct hone_map_modes *modes, uint32_t address)
{
    const uint32_t line = address / 128, at = address % 128;
    const uint32_t atom = modes->atom ? modes->atom : 16;
    const uint32_t chunks = modes->swizzle / atom; /* that change places */
    if (!modes->swizzle) return address;
    const uint32_t chunk = at / atom, group = chunk / chunks;
    const uint32_t to = group * chunks + oracle_of_8[line % chunks][chunk % chunks];
    uint32_t within = at % atom;
    if (modes->flip && line % 2 == 1)
        within = within / 16 * 16 + (within % 16 < 8 ? within % 16 + 8 : within % 16 - 8);
    return line * 128 + to * atom + within;
}

static inline uint32_t oracle_steps(const struct hone_tensor_map *map, uint32_t axis)
{
    return axis == 0 || map->step[axis] == 0 ? 1 : map->step[axis];
}

/* The address of an element, or ORACLE_FILLED. */
static inline uint64_t oracle_element(const struct hone_tensor_map *map, uint64_t base,
                                      const int64_t *at)
{
    for (uint32_t i = 0; i < map->rank; i++)
        if (at[i] < 0 || at[i] > (int64_t)map->size[i] - 1) return ORACLE_FILLED;
    for (uint32_t i = 0; i < map->rank; i++)
        base += (uint64_t)at[i] * map->stride_bytes[i];
    return base;
}

static inline void oracle_put(const struct hone_tensor_map *map, uint64_t source,
                              uint32_t destination, uint32_t number, uint64_t *shared)
{
    const uint32_t bytes = (uint32_t)map->stride_bytes[0];
    for (uint32_t b = 0; b < bytes; b++) {
        const uint32_t to = oracle_place(&map->modes, destination + number * bytes + b);
        shared[to] = source == ORACLE_FILLED ? source : source + b;
    }
}

/* Of a box: element number k of the packed box has its index along each axis in the
 * digits of k. Returns the bytes of the box. */
static inline uint32_t oracle_box(const struct hone_tensor_map *map, uint64_t base,
                                  const int32_t *coordinates, uint32_t destination,
                                  uint64_t *shared)
{
    uint32_t counts[HONE_MAP_RANK_MAX], all = 1;
    for (uint32_t i = 0; i < map->rank; i++) {
        counts[i] = 0;
        for (uint32_t k = 0; k < map->box[i]; k += oracle_steps(map, i))
            counts[i]++;
        all *= counts[i];
    }
    for (uint32_t k = 0; k < all; k++) {
        int64_t at[HONE_MAP_RANK_MAX];
        uint32_t digits = k;
        for (uint32_t i = 0; i < map->rank; i++) {
            at[i] = coordinates[i] + (int64_t)(digits % counts[i]) * oracle_steps(map, i);
            digits /= counts[i];
        }
        oracle_put(map, oracle_element(map, base, at), destination, k, shared);
    }
    return all * (uint32_t)map->stride_bytes[0];
}

/* Of pixels: rows of the matrix that a convolution multiplies. Output pixel p of image n
 * begins in the input at lower + (its column and row) * step; the filter's place is added.
 * first: the number of the output pixel, over all images, that the copy begins with. */
static inline uint32_t oracle_pixels(const struct hone_tensor_map *map, uint64_t base,
                                     int32_t channel, uint64_t first,
                                     const uint16_t *offsets, uint32_t destination,
                                     uint64_t *shared)
{
    const struct hone_map_pixels *pixels = &map->pixels;
    uint64_t outputs[HONE_MAP_RANK_MAX] = {0}; /* along each spatial axis */
    for (uint32_t i = 1; i + 1 < map->rank; i++)
        for (int64_t x = pixels->lower[i - 1];
             x < (int64_t)map->size[i] + pixels->upper[i - 1]; x += oracle_steps(map, i))
            outputs[i]++;
    for (uint32_t p = 0; p < pixels->count; p++) {
        int64_t at[HONE_MAP_RANK_MAX];
        uint64_t digits = first + p;
        for (uint32_t i = 1; i + 1 < map->rank; i++) {
            at[i] = pixels->lower[i - 1] +
                    (int64_t)(digits % outputs[i]) * oracle_steps(map, i) +
                    offsets[i - 1];
            digits /= outputs[i];
        }
        at[map->rank - 1] = (int64_t)digits;
        for (uint32_t c = 0; c < pixels->channels; c++) {
            at[0] = channel + (int64_t)c;
            oracle_put(map, oracle_element(map, base, at), destination,
                       p * pixels->channels + c, shared);
        }
    }
    return pixels->count * pixels->channels * (uint32_t)map->stride_bytes[0];
}

/* The coordinates that the copy is given. */
static inline void oracle_first_pixel(const struct hone_tensor_map *map, int32_t channel,
                                      uint64_t first, int32_t *coordinates)
{
    coordinates[0] = channel;
    for (uint32_t i = 1; i + 1 < map->rank; i++) {
        uint64_t outputs = 0;
        for (int64_t x = map->pixels.lower[i - 1];
             x < (int64_t)map->size[i] + map->pixels.upper[i - 1];
             x += oracle_steps(map, i))
            outputs++;
        coordinates[i] = map->pixels.lower[i - 1] +
                         (int32_t)((first % outputs) * oracle_steps(map, i));
        first /= outputs;
    }
    coordinates[map->rank - 1] = (int32_t)first;
}

#endif
