// Limits and numbers are those of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col in
// cuda.h 13.0.
#include "hone/tensor_map.h"

#include <stdio.h>
#include <string.h>

enum {
    UNIT = 16,
    STEP_MOST = 8,
    PIXELS_MOST = 1024,
    FIRST_FLOAT = 6 // of the types
};

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

uint32_t hone_map_type_bytes(uint32_t type)
{
    static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
    return type < sizeof bytes ? bytes[type] : 0;
}

// ---- rules ----

uint32_t hone_map_unit(const struct hone_map_modes *modes)
{
    return modes->interleave == 32 ? 32 : UNIT;
}

uint32_t hone_map_line_unit(const struct hone_map_modes *modes)
{
    return modes->interleave ? 1 : UNIT;
}

uint32_t hone_map_line_most(const struct hone_map_modes *modes)
{
    return !modes->interleave && modes->swizzle ? modes->swizzle : UINT32_MAX;
}

static bool is_float(uint32_t type)
{
    return type >= FIRST_FLOAT;
}

static bool check_axis(const struct hone_tensor_map *map, uint32_t i, char *why,
                       size_t cap)
{
    const unsigned unit = hone_map_unit(&map->modes);
    if (map->size[i] < 1 || map->size[i] > UINT64_C(1) << 32)
        snprintf(why, cap, "a size of %llu in axis %u, from 1 to 2^32 are allowed",
                 (unsigned long long)map->size[i], i + 1);
    else if (!map->pixels.channels &&
             (map->box[i] < 1 || map->box[i] > HONE_MAP_BOX_MOST))
        snprintf(why, cap, "a box of %u in axis %u, from 1 to %d are allowed",
                 map->box[i], i + 1, HONE_MAP_BOX_MOST);
    else if (map->step[i] > STEP_MOST)
        snprintf(why, cap, "an element stride of %u in axis %u, from 1 to %d are allowed",
                 map->step[i], i + 1, STEP_MOST);
    else if (i && (map->stride_bytes[i] % unit || map->stride_bytes[i] >> 40))
        snprintf(why, cap,
                 "a stride of %llu bytes in axis %u, multiples of %u below 2^40 are "
                 "allowed",
                 (unsigned long long)map->stride_bytes[i], i + 1, unit);
    return !*why;
}

static bool check_modes(const struct hone_tensor_map *map, char *why, size_t cap)
{
    const struct hone_map_modes *modes = &map->modes;
    const bool flips = modes->flip && modes->atom != 32;
    if (hone_map_swizzle(modes->swizzle) == UINT32_MAX)
        snprintf(why, cap, "a swizzle of %u bytes, 32, 64 and 128 are allowed",
                 modes->swizzle);
    else if (hone_map_interleave(modes->interleave) == UINT32_MAX)
        snprintf(why, cap, "interleaving by %u bytes, 16 and 32 are allowed",
                 modes->interleave);
    else if (hone_map_promotion(modes->promotion) == UINT32_MAX)
        snprintf(why, cap, "a promotion to %u bytes of L2, 64, 128 and 256 are allowed",
                 modes->promotion);
    else if (modes->interleave == 32 && modes->swizzle != 32)
        snprintf(why, cap, "a swizzle of %u bytes, interleaving by 32 bytes wants 32",
                 modes->swizzle);
    else if ((modes->atom && modes->atom != 32 && modes->atom != 64) || flips)
        snprintf(why, cap,
                 "swizzled atoms of %u bytes%s, 16, 32 and 64 are allowed, and "
                 "a flip of those of 32",
                 modes->atom ? modes->atom : 16, flips ? " with a flip" : "");
    else if (modes->atom && modes->swizzle != 128)
        snprintf(why, cap, "swizzled atoms of %u bytes, a swizzle of %u bytes has 16",
                 modes->atom, modes->swizzle);
    else if (modes->nan_fill && !is_float(map->type))
        snprintf(why, cap, "a fill of NaN, elements that are no floats take 0");
    return !*why;
}

// The corners of the box that pixels begin in: as many bits as the rank leaves.
static bool check_corners(const struct hone_tensor_map *map, char *why, size_t cap)
{
    const int32_t most = map->rank == 3 ? 32767 : map->rank == 4 ? 127 : 15;
    for (uint32_t i = 0; i < map->rank - 2; i++) {
        const int32_t corners[] = {map->pixels.lower[i], map->pixels.upper[i]};
        for (int k = 0; k < 2; k++)
            if (corners[k] > most || corners[k] < -most - 1) {
                snprintf(why, cap,
                         "a corner of %d in axis %u, from %d to %d are allowed with %u "
                         "axes",
                         corners[k], i + 2, -most - 1, most, map->rank);
                return false;
            }
        const int64_t pixels = (int64_t)map->size[i + 1] + corners[1] - corners[0];
        if (pixels < 1) {
            snprintf(why, cap,
                     "corners %d and %d in axis %u, which leave none of %llu pixels",
                     corners[0], corners[1], i + 2, (unsigned long long)map->size[i + 1]);
            return false;
        }
    }
    return true;
}

static bool check_pixels(const struct hone_tensor_map *map, char *why, size_t cap)
{
    const struct hone_map_pixels *pixels = &map->pixels;
    if (map->rank < 3)
        snprintf(why, cap, "%u axes, copies of pixels want 3 to 5", map->rank);
    else if (pixels->channels > HONE_MAP_BOX_MOST)
        snprintf(why, cap, "%u channels a pixel, from 1 to %d are allowed",
                 pixels->channels, HONE_MAP_BOX_MOST);
    else if (pixels->count < 1 || pixels->count > PIXELS_MOST)
        snprintf(why, cap, "%u pixels a column, from 1 to %d are allowed", pixels->count,
                 PIXELS_MOST);
    else
        return check_corners(map, why, cap);
    return false;
}

static bool check_inner(const struct hone_tensor_map *map, char *why, size_t cap)
{
    const struct hone_map_modes *modes = &map->modes;
    const uint32_t elements = map->pixels.channels ? map->pixels.channels : map->box[0];
    const unsigned long long inner =
        (unsigned long long)elements * hone_map_type_bytes(map->type);
    if (modes->interleave && map->rank < 3)
        snprintf(why, cap, "%u axes, interleaving wants 3 or more", map->rank);
    else if (!map->pixels.channels && inner % hone_map_line_unit(modes))
        snprintf(why, cap, "a box of %llu bytes in axis 1, multiples of %u are allowed",
                 inner, hone_map_line_unit(modes));
    else if (inner > hone_map_line_most(modes))
        snprintf(why, cap, "a box of %llu bytes in axis 1, the swizzle allows %u", inner,
                 modes->swizzle);
    return !*why;
}

bool hone_map_check(const struct hone_tensor_map *map, char *why, size_t cap)
{
    *why = '\0';
    if (map->rank < 1 || map->rank > HONE_MAP_RANK_MAX)
        snprintf(why, cap, "%u axes, from 1 to %d are allowed", map->rank,
                 HONE_MAP_RANK_MAX);
    else if (!hone_map_type_bytes(map->type))
        snprintf(why, cap, "elements of type %u, from 0 to 12 are known", map->type);
    for (uint32_t i = 0; !*why && i < map->rank; i++)
        check_axis(map, i, why, cap);
    if (!*why) check_modes(map, why, cap);
    if (!*why && map->pixels.channels) check_pixels(map, why, cap);
    if (!*why) check_inner(map, why, cap);
    return !*why;
}

bool hone_map_check_base(const struct hone_tensor_map *map, uint64_t base, char *why,
                         size_t cap)
{
    const unsigned unit = hone_map_unit(&map->modes);
    if (base % unit == 0) return true;
    snprintf(why, cap, "a tensor at 0x%llx, multiples of %u are allowed",
             (unsigned long long)base, unit);
    return false;
}
