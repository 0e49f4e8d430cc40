// Where a tensor map puts a box and a descriptor finds an element: dumps of shared memory,
// and products that tell places.
#include <stdio.h>
#include <string.h>

#include "questions.h"

// ---- Tensor maps --------------------------------------------------------------------

enum { MAP_WIDTH = 64, MAP_HEIGHT = 16, DUMP = 2048 };

struct map_case {
    const char *name;
    uint32_t swizzle; // bytes: 0, 32, 64, 128
    uint32_t width;   // of the box, elements of 2 bytes
    uint32_t height;  // of the box
    uint32_t stride;  // of the rows that are copied
    int32_t x, y;
    uint32_t offset; // of the box in shared memory, bytes
    bool known;      // what is expected is known
};

static const struct map_case map_cases[] = {
    {"plain", 0, 64, 8, 1, 0, 0, 0, true},
    {"swizzle_32", 32, 16, 8, 1, 0, 0, 0, true},
    {"swizzle_64", 64, 32, 8, 1, 0, 0, 0, true},
    {"swizzle_128", 128, 64, 8, 1, 0, 0, 0, true},
    {"swizzle_32_at_128", 32, 16, 8, 1, 0, 0, 128, true},
    {"swizzle_64_at_128", 64, 32, 8, 1, 0, 0, 128, true},
    {"swizzle_128_at_128", 128, 64, 8, 1, 0, 0, 128, true},
    {"swizzle_128_at_512", 128, 64, 8, 1, 0, 0, 512, true},
    {"before_the_start", 128, 64, 8, 1, -3, -2, 0, true},
    {"past_the_end", 64, 32, 8, 1, 50, 12, 0, true},
    {"every_third_row", 0, 64, 9, 3, 0, 1, 0, true},
    {"every_third_row_swizzled", 128, 64, 9, 3, 0, 1, 0, true},
    {"narrow_in_swizzle_128", 128, 16, 8, 1, 0, 0, 0, false},
    {"narrow_in_swizzle_64", 64, 16, 8, 1, 0, 0, 0, false},
};

static uint32_t rows_of(const struct map_case *c)
{
    return (c->height + c->stride - 1) / c->stride;
}

// The tensor is 16 rows of 64 elements, the i-th of value i.
static bool encode(struct ask *ask, const struct map_case *c, hone_devptr tensor,
                   CUtensorMap *map, char why[64])
{
    const struct hone_cuda_driver *driver = hone_cuda_driver_get(NULL);
    const cuuint64_t size[] = {MAP_WIDTH, MAP_HEIGHT}, pitch[] = {MAP_WIDTH * 2};
    const cuuint32_t box[] = {c->width, c->height}, step[] = {1, c->stride};
    if (!driver) ask_cannot("%s is no GPU: there are no tensor maps", ask->device);
    const CUresult result = driver->cuTensorMapEncodeTiled(
        map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, (void *)(uintptr_t)tensor, size, pitch,
        box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
        (CUtensorMapSwizzle)hone_map_swizzle(c->swizzle), CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    snprintf(why, 64, "refused: CUresult %d", (int)result);
    return result == CUDA_SUCCESS;
}

// The swizzle is an exclusive or on the address: bits 7 to 9 on bits 4 to 6.
static uint32_t swizzled(uint32_t address, uint32_t swizzle)
{
    const uint32_t mask = swizzle ? swizzle / 16 - 1 : 0;
    return address ^ (address >> 7 & mask) << 4;
}

static void expected_box(const struct map_case *c, uint16_t *tile)
{
    memset(tile, 0xff, DUMP);
    for (uint32_t j = 0; j < rows_of(c); j++)
        for (uint32_t i = 0; i < c->width; i++) {
            const int32_t x = c->x + (int32_t)i, y = c->y + (int32_t)(j * c->stride);
            const bool inside = x >= 0 && x < MAP_WIDTH && y >= 0 && y < MAP_HEIGHT;
            const uint32_t at = swizzled(c->offset + (j * c->width + i) * 2, c->swizzle);
            tile[at / 2] = inside ? (uint16_t)(y * MAP_WIDTH + x) : 0;
        }
}

static void copy_box(struct ask *ask, const struct map_case *c, hone_devptr tensor)
{
    CUtensorMap map;
    char why[64];
    uint16_t got[DUMP / 2 + 1], expected[DUMP / 2];
    if (!encode(ask, c, tensor, &map, why)) {
        ask_say_text(ask, c->name, why);
        return;
    }
    const hone_devptr out = ask_buffer(ask, sizeof got);
    const uint32_t bytes = rows_of(c) * c->width * 2, dump = DUMP;
    struct ask_call call = ask_kernel(ask, "tma_box", 1, 32, DUMP + 1024);
    ASK_ARGUMENT(&call, map);
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, c->x);
    ASK_ARGUMENT(&call, c->y);
    ASK_ARGUMENT(&call, c->offset);
    ASK_ARGUMENT(&call, bytes);
    ASK_ARGUMENT(&call, dump);
    ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    expected_box(c, expected);
    ask_words(ask, c->name, got, c->known ? expected : NULL, DUMP / 2);
    if (!got[DUMP / 2]) ask_say_text(ask, "incomplete", c->name);
}

CUtensorMap ask_box_map(struct ask *ask, hone_devptr tensor)
{
    const struct map_case box = {"", 128, 64, 8, 1, 0, 0, 0, true};
    CUtensorMap map;
    char why[64];
    if (!encode(ask, &box, tensor, &map, why)) ask_cannot("%s", why);
    return map;
}

void answer_tma_boxes(struct ask *ask)
{
    uint16_t ramp[MAP_WIDTH * MAP_HEIGHT];
    for (uint16_t i = 0; i < MAP_WIDTH * MAP_HEIGHT; i++)
        ramp[i] = i;
    const hone_devptr tensor = ask_buffer(ask, sizeof ramp);
    ask_write(ask, tensor, ramp, sizeof ramp);
    for (size_t i = 0; i < sizeof map_cases / sizeof *map_cases; i++)
        copy_box(ask, &map_cases[i], tensor);
}

// ---- Descriptors of wgmma -----------------------------------------------------------

enum { IMAGE = 16384, ROWS = 64, DEPTH = 16 };

struct layout_case {
    const char *name;
    bool mn_major;
    uint32_t swizzle, lbo, sbo; // bytes
    uint32_t start;             // of the tile behind a multiple of 1024, bytes
    uint32_t base_offset;       // field of the descriptor
    bool known;
};

// The swapped ones are there to differ from those before them, as computed.
static const struct layout_case layouts[] = {
    {"k_none", false, 0, 128, 256, 0, 0, true},
    {"k_none_swapped", false, 0, 256, 128, 0, 0, true},
    {"k_32", false, 32, 16, 256, 0, 0, true},
    {"k_64", false, 64, 16, 512, 0, 0, true},
    {"k_128", false, 128, 16, 1024, 0, 0, true},
    {"k_128_lbo_unused", false, 128, 2048, 1024, 0, 0, true},
    {"k_128_second_step", false, 128, 16, 1024, 32, 0, true},
    {"k_128_last_step", false, 128, 16, 1024, 96, 0, true},
    {"k_128_at_256", false, 128, 16, 1024, 256, 0, true},
    {"k_128_at_256_base_2", false, 128, 16, 1024, 256, 2, false},
    {"mn_none", true, 0, 128, 256, 0, 0, true},
    {"mn_none_swapped", true, 0, 256, 128, 0, 0, true},
    {"mn_32", true, 32, 512, 256, 0, 0, true},
    {"mn_64", true, 64, 1024, 512, 0, 0, true},
    {"mn_128", true, 128, 2048, 1024, 0, 0, true},
    {"mn_32_swapped", true, 32, 256, 512, 0, 0, true},
};

// Where row r of A, or column r of B, has its k-th element, in bytes.
static uint32_t place_of(const struct layout_case *c, uint32_t r, uint32_t k)
{
    const uint32_t w = c->swizzle, kb = 2 * k, wide = w / 2;
    uint32_t at;
    if (!c->mn_major && !w)
        at = r % 8 * 16 + r / 8 * c->sbo + kb / 16 * c->lbo + kb % 16;
    else if (!c->mn_major)
        at = r % 8 * w + r / 8 * c->sbo + kb;
    else if (!w)
        at = r % 8 * 2 + r / 8 * c->sbo + k % 8 * 16 + k / 8 * c->lbo;
    else
        at = r % wide * 2 + r / wide * c->lbo + k % 8 * w + k / 8 * c->sbo;
    return swizzled(c->start + at, w);
}

static uint64_t fields_of(const struct layout_case *c)
{
    static const uint64_t modes[] = {0, 3, 2, 0, 1}; // of 0, 32, 64 and 128 bytes
    return (uint64_t)(c->lbo >> 4) << 16 | (uint64_t)(c->sbo >> 4) << 32 |
           (uint64_t)c->base_offset << 49 | modes[c->swizzle / 32] << 62;
}

// A whole number below 2048.
static uint16_t as_f16(uint32_t n)
{
    uint32_t exponent = 0;
    if (n == 0) return 0;
    while (n >> (exponent + 1))
        exponent++;
    return (uint16_t)((exponent + 15) << 10 | ((n << (10 - exponent)) & 0x3ff));
}

// The image counts its elements in two runs, low digits and high ones, so that a product
// with a one in each row tells where the hardware found what.
static void read_places(struct ask *ask, const char *entry, const struct layout_case *c,
                        uint32_t places[ROWS * DEPTH])
{
    const bool of_a = strncmp(entry, "wgmma_a", 7) == 0;
    static uint16_t image[IMAGE / 2];
    static float product[64 * 64];
    const hone_devptr from = ask_buffer(ask, IMAGE),
                      out = ask_buffer(ask, sizeof product);
    const uint64_t fields = fields_of(c);
    struct ask_call call = ask_kernel(ask, entry, 1, 128, 2 * IMAGE + 1024);
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, fields);
    ASK_ARGUMENT(&call, c->start);
    memset(places, 0, ROWS * DEPTH * sizeof *places);
    for (uint32_t digit = 0; digit < 2; digit++) {
        for (uint32_t i = 0; i < IMAGE / 2; i++)
            image[i] = as_f16(digit ? i >> 10 : i & 0x3ff);
        ask_write(ask, from, image, sizeof image);
        ask_launch(ask, &call);
        ask_read(ask, product, out, sizeof product);
        for (uint32_t r = 0; r < ROWS; r++)
            for (uint32_t k = 0; k < DEPTH; k++) {
                const float value = of_a ? product[64 * r + k] : product[64 * k + r];
                places[r * DEPTH + k] += (uint32_t)value << (digit ? 10 : 0);
            }
    }
}

static void answer_layouts(struct ask *ask, const char *k_major, const char *mn_major)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout_case *c = &layouts[i];
        uint32_t places[ROWS * DEPTH];
        uint16_t got[ROWS * DEPTH], expected[ROWS * DEPTH];
        read_places(ask, c->mn_major ? mn_major : k_major, c, places);
        for (uint32_t e = 0; e < ROWS * DEPTH; e++) {
            got[e] = (uint16_t)places[e];
            expected[e] = (uint16_t)(place_of(c, e / DEPTH, e % DEPTH) / 2);
        }
        ask_words(ask, c->name, got, c->known ? expected : NULL, ROWS * DEPTH);
    }
}

void answer_wgmma_a(struct ask *ask)
{
    answer_layouts(ask, "wgmma_a_k", "wgmma_a_mn");
}

void answer_wgmma_b(struct ask *ask)
{
    answer_layouts(ask, "wgmma_b_k", "wgmma_b_mn");
}
