/* Tensor maps: what a kernel that copies by TMA (compute capability 9.0 and on) gets in
 * a buffer's place, 128 bytes by value, encoded by the driver. The axes of the tensor
 * begin with the innermost. */
#ifndef HONE_TENSOR_MAP_H
#define HONE_TENSOR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HONE_MAP_RANK_MAX = 5,
    HONE_MAP_BYTES = 128,
    HONE_MAP_ALIGNMENT = 64,
    HONE_MAP_BOX_MOST = 256 /* elements along an axis */
};

/* The modes of a whole recipe are in bytes; 0 stands for none. */
struct hone_map_modes {
    uint32_t swizzle;    /* 32, 64, 128 */
    uint32_t interleave; /* 16, 32 */
    uint32_t promotion;  /* to L2: 64, 128, 256 */
    uint32_t nan_fill;   /* not 0: what lies outside is read as NaN, else as 0 */
    uint32_t atom;       /* that a swizzle of 128 leaves together: 32, 64; 0: 16 */
    uint32_t flip;       /* not 0, of atoms of 32: 8 bytes change places in odd lines */
};

/* What copies of pixels (im2col) take instead of a box: pixels of the axes between the
 * first (channels) and the last (images), whose base runs through a box with those
 * corners, relative to the first pixel and to the last one. */
struct hone_map_pixels {
    uint32_t channels; /* of each, 1 .. 256; 0: copies take boxes (tiled) */
    uint32_t count;    /* 1 .. 1024 */
    int32_t lower[HONE_MAP_RANK_MAX - 2], upper[HONE_MAP_RANK_MAX - 2];
};

/* A recipe, as a script and a journal have it: expressions. */
struct hone_map_def {
    size_t rank; /* 1 .. HONE_MAP_RANK_MAX */
    struct {
        const char *size;   /* elements */
        const char *box;    /* elements that one copy takes */
        const char *stride; /* elements from one to the next; NULL: packed, as is the
                               innermost */
    } axes[HONE_MAP_RANK_MAX];
    struct hone_map_modes modes;
};

/* The same, evaluated. */
struct hone_tensor_map {
    uint32_t rank; /* 0: there is none */
    uint32_t type; /* of the elements, a CUtensorMapDataType */
    uint64_t size[HONE_MAP_RANK_MAX];
    uint64_t stride_bytes[HONE_MAP_RANK_MAX]; /* the first is an element's size */
    uint32_t box[HONE_MAP_RANK_MAX];
    uint32_t step[HONE_MAP_RANK_MAX]; /* elements from one that is copied to the next */
    struct hone_map_pixels pixels;
    struct hone_map_modes modes;
};

/* The CUtensorMapDataType of a dtype's name: f32 is 7; those of one byte are 0. */
uint32_t hone_map_type(const char *dtype);
/* Bytes of an element of the type; 0 where there is none, or one of 4 or 6 bits. */
uint32_t hone_map_type_bytes(uint32_t type);

/* The number that the driver has for a mode: 0, 1, 2, 3 for no, 32, 64, 128 bytes of
 * swizzle, for example. UINT32_MAX for what is none. */
uint32_t hone_map_swizzle(uint32_t bytes);
uint32_t hone_map_interleave(uint32_t bytes);
uint32_t hone_map_promotion(uint32_t bytes);

/* Bytes that strides, and the tensor's address, are multiples of. */
uint32_t hone_map_unit(const struct hone_map_modes *modes);
/* Bytes that a box's innermost line is a multiple of, and at most, without pixels. */
uint32_t hone_map_line_unit(const struct hone_map_modes *modes);
uint32_t hone_map_line_most(const struct hone_map_modes *modes);

/* Whether a driver takes such a map; else why tells what is wrong, against which limit. A
 * step of 0 stands for 1. */
bool hone_map_check(const struct hone_tensor_map *map, char *why, size_t cap);
/* And of a tensor at base? */
bool hone_map_check_base(const struct hone_tensor_map *map, uint64_t base, char *why,
                         size_t cap);

/* The HONE_MAP_BYTES that stand for a map where no driver is: on emulated devices, in
 * the drivers of tests. A driver's own are others. */
void hone_map_pack(const struct hone_tensor_map *map, uint64_t base, void *out);
/* False: the bytes are none of those. What they say may break any rule. */
bool hone_map_unpack(const void *bytes, struct hone_tensor_map *map, uint64_t *base);
/* Checks, then packs; false: why is told. */
bool hone_map_encode(const struct hone_tensor_map *map, uint64_t base, void *out,
                     char *why, size_t cap);

#endif
