// Tensor maps as bytes, for devices without a driver of their own. A word in front tells
// them from what never was a map.
#include <string.h>

#include "hone/tensor_map.h"

enum {
    MAGIC = 0x4d54,
    NAN_FILL = 1,
    FLIP = 2,
    PIXELS = 4,
    SPATIAL = HONE_MAP_RANK_MAX - 2
};

// The box of a map of pixels has their channels and their count. Modes are in units of 16
// bytes.
struct packed_map {
    uint32_t magic;
    uint8_t rank, type, interleave, swizzle, atom, promotion, flags, unused[5];
    uint64_t base, size[HONE_MAP_RANK_MAX], stride[HONE_MAP_RANK_MAX - 1];
    uint16_t box[HONE_MAP_RANK_MAX];
    uint8_t step[HONE_MAP_RANK_MAX];
    int16_t lower[SPATIAL], upper[SPATIAL];
};
_Static_assert(sizeof(struct packed_map) <= HONE_MAP_BYTES, "a map has its place");

// What breaks a rule still does when it is read again.
static uint16_t narrow(uint32_t value)
{
    return value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
}

static uint8_t narrower(uint32_t value)
{
    return value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
}

static uint8_t units(uint32_t bytes)
{
    return bytes % 16 ? UINT8_MAX : narrower(bytes / 16);
}

void hone_map_pack(const struct hone_tensor_map *map, uint64_t base, void *out)
{
    const struct hone_map_modes *modes = &map->modes;
    struct packed_map packed = {.magic = MAGIC,
                                .rank = narrower(map->rank),
                                .type = narrower(map->type),
                                .interleave = units(modes->interleave),
                                .swizzle = units(modes->swizzle),
                                .atom = units(modes->atom),
                                .promotion = units(modes->promotion),
                                .base = base};
    packed.flags = (uint8_t)((modes->nan_fill ? NAN_FILL : 0) | (modes->flip ? FLIP : 0) |
                             (map->pixels.channels ? PIXELS : 0));
    for (int i = 0; i < HONE_MAP_RANK_MAX; i++) {
        packed.size[i] = map->size[i];
        packed.box[i] = narrow(map->box[i]);
        packed.step[i] = narrower(map->step[i] ? map->step[i] : 1);
        if (i) packed.stride[i - 1] = map->stride_bytes[i];
    }
    for (int i = 0; i < SPATIAL && map->pixels.channels; i++) {
        packed.lower[i] = (int16_t)map->pixels.lower[i];
        packed.upper[i] = (int16_t)map->pixels.upper[i];
    }
    if (map->pixels.channels) {
        packed.box[0] = narrow(map->pixels.channels);
        packed.box[1] = narrow(map->pixels.count);
    }
    memset(out, 0, HONE_MAP_BYTES);
    memcpy(out, &packed, sizeof packed);
}

static void unpack_pixels(const struct packed_map *packed, struct hone_map_pixels *pixels)
{
    pixels->channels = packed->box[0];
    pixels->count = packed->box[1];
    for (int i = 0; i < SPATIAL; i++) {
        pixels->lower[i] = packed->lower[i];
        pixels->upper[i] = packed->upper[i];
    }
}

bool hone_map_unpack(const void *bytes, struct hone_tensor_map *map, uint64_t *base)
{
    struct packed_map packed;
    memcpy(&packed, bytes, sizeof packed);
    *map = (struct hone_tensor_map){.rank = packed.rank,
                                    .type = packed.type,
                                    .modes = {.swizzle = packed.swizzle * 16U,
                                              .interleave = packed.interleave * 16U,
                                              .promotion = packed.promotion * 16U,
                                              .nan_fill = packed.flags & NAN_FILL,
                                              .atom = packed.atom * 16U,
                                              .flip = packed.flags & FLIP}};
    *base = packed.base;
    for (int i = 0; i < HONE_MAP_RANK_MAX; i++) {
        map->size[i] = packed.size[i];
        map->box[i] = packed.box[i];
        map->step[i] = packed.step[i];
        map->stride_bytes[i] = i ? packed.stride[i - 1] : hone_map_type_bytes(map->type);
    }
    if (packed.flags & PIXELS) unpack_pixels(&packed, &map->pixels);
    return packed.magic == MAGIC;
}

bool hone_map_encode(const struct hone_tensor_map *map, uint64_t base, void *out,
                     char *why, size_t cap)
{
    if (!hone_map_check(map, why, cap) || !hone_map_check_base(map, base, why, cap))
        return false;
    hone_map_pack(map, base, out);
    return true;
}
