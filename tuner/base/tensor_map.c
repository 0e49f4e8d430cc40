// Limits and numbers are those of cuTensorMapEncodeTiled in cuda.h 13.0.
#include "hone/tensor_map.h"

#include <stdio.h>
#include <string.h>

enum { BOX_MOST = 256, STRIDE_UNIT = 16 };

uint32_t hone_map_type(const char *dtype)
{
    static const struct {
        const char *dtype;
        uint32_t type;
    } types[] = {{"u16", 1}, {"i16", 1}, {"u32", 2}, {"i32", 3}, {"u64", 4},
                 {"i64", 5}, {"f16", 6}, {"f32", 7}, {"f64", 8}, {"bf16", 9}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].dtype, dtype) == 0) return types[i].type;
    return 0; // UINT8: bytes are copied, whatever they mean
}

// 0, least, 2 least, 4 least, ... as 0, 1, 2, 3, ...
static uint32_t tensor_map_number_of(uint32_t bytes, uint32_t least, uint32_t most)
{
    uint32_t number = 1;
    if (!bytes) return 0;
    for (uint32_t b = least; b <= most; b *= 2, number++)
        if (b == bytes) return number;
    return UINT32_MAX;
}

uint32_t hone_map_swizzle(uint32_t bytes)
{
    return tensor_map_number_of(bytes, 32, 128);
}

uint32_t hone_map_interleave(uint32_t bytes)
{
    return tensor_map_number_of(bytes, 16, 32);
}

uint32_t hone_map_promotion(uint32_t bytes)
{
    return tensor_map_number_of(bytes, 64, 256);
}

static bool check_axis(const struct hone_tensor_map *map, uint32_t i, char *why,
                       size_t cap)
{
    const unsigned unit = map->modes.interleave == 32 ? 32 : STRIDE_UNIT;
    *why = '\0';
    if (map->size[i] < 1 || map->size[i] > UINT64_C(1) << 32)
        snprintf(why, cap, "a size of %llu in axis %u, from 1 to 2^32 are allowed",
                 (unsigned long long)map->size[i], i + 1);
    else if (map->box[i] < 1 || map->box[i] > BOX_MOST)
        snprintf(why, cap, "a box of %u in axis %u, from 1 to %d are allowed",
                 map->box[i], i + 1, BOX_MOST);
    else if (i && (map->stride_bytes[i] % unit || map->stride_bytes[i] >> 40))
        snprintf(why, cap,
                 "a stride of %llu bytes in axis %u, multiples of %u below 2^40 are "
                 "allowed",
                 (unsigned long long)map->stride_bytes[i], i + 1, unit);
    return !*why;
}

bool hone_map_check(const struct hone_tensor_map *map, char *why, size_t cap)
{
    const struct hone_map_modes *modes = &map->modes;
    for (uint32_t i = 0; i < map->rank; i++)
        if (!check_axis(map, i, why, cap)) return false;
    const unsigned long long inner = map->box[0] * map->stride_bytes[0];
    if (modes->interleave && map->rank < 3)
        snprintf(why, cap, "%u axes, interleaving wants 3 or more", map->rank);
    else if (!modes->interleave && inner % 16)
        snprintf(why, cap, "a box of %llu bytes in axis 1, multiples of 16 are allowed",
                 inner);
    else if (!modes->interleave && modes->swizzle && inner > modes->swizzle)
        snprintf(why, cap, "a box of %llu bytes in axis 1, the swizzle allows %u", inner,
                 modes->swizzle);
    return !*why;
}
