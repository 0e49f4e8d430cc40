// hone_questions FILE [QUESTION...]: what only hardware can tell. Each question has a small
// kernel (questions.cu), an answer of bits or cycles, and what is expected beside it; the
// answers, one JSON object a line, are what an emulator of these instructions has to
// match. Sources of what is expected: PTX ISA 9.0 (sections on wgmma, tensors and
// mbarrier), cuda.h on tensor maps, and the SASS that ptxas 13.0 makes of the kernels.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "cuda_driver.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return values[n / 2];
}

// ---- Carry and barriers -------------------------------------------------------------

static void carry_after(struct ask *ask, const char *name, uint32_t a, uint32_t b,
                        const uint32_t expected[4])
{
    static const char *const what[] = {"sub_addc", "add_addc", "sub_subc", "add_subc"};
    hone_devptr out = ask_buffer(ask, 32);
    struct ask_call call = ask_kernel(ask, "carry", 1, 1, 0);
    uint32_t got[4];
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, a);
    ASK_ARGUMENT(&call, b);
    ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    for (size_t i = 0; i < 4; i++) {
        char field[32];
        snprintf(field, sizeof field, "%s_%s", name, what[i]);
        ask_expect(ask, field, got[i], expected[i], expected[i]);
    }
}

static void answer_carry(struct ask *ask)
{
    carry_after(ask, "5_3", 5, 3, (const uint32_t[]){1, 0, 0, UINT32_MAX});
    carry_after(ask, "3_5", 3, 5, (const uint32_t[]){0, 0, UINT32_MAX, UINT32_MAX});
    carry_after(ask, "max_1", UINT32_MAX, 1, (const uint32_t[]){1, 1, 0, 0});
}

static void answer_fresh_barrier(struct ask *ask)
{
    hone_devptr out = ask_buffer(ask, 8);
    struct ask_call call = ask_kernel(ask, "fresh_barrier", 1, 1, 0);
    uint32_t got[2];
    ASK_ARGUMENT(&call, out);
    ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    ask_expect(ask, "parity_0", got[0], 0, 0);
    ask_expect(ask, "parity_1", got[1], 1, 1);
}

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

static void answer_tma_boxes(struct ask *ask)
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

static void answer_wgmma_a(struct ask *ask)
{
    answer_layouts(ask, "wgmma_a_k", "wgmma_a_mn");
}

static void answer_wgmma_b(struct ask *ask)
{
    answer_layouts(ask, "wgmma_b_k", "wgmma_b_mn");
}

// ---- The accumulator of fp8 ---------------------------------------------------------

// 2^-n as e4m3, n < 10.
static uint8_t as_e4m3(uint32_t n)
{
    return (uint8_t)(n <= 6 ? (7 - n) << 3 : 4u >> (n - 7));
}

struct fp8_sums {
    hone_devptr a, b, out;
    struct ask_call call;
    float c;
    uint32_t times;
};

// What c and `times` times the sum of first (1 or 0) and of 2^-j in all other places come
// to: by wgmma and by mma.sync.
static void sum_fp8(struct ask *ask, struct fp8_sums *s, bool first, uint32_t j,
                    float got[2])
{
    uint8_t a[32], b[32];
    memset(a, as_e4m3(j / 2), sizeof a);
    memset(b, as_e4m3(j - j / 2), sizeof b);
    if (first) a[0] = b[0] = as_e4m3(0);
    ask_write(ask, s->a, a, sizeof a);
    ask_write(ask, s->b, b, sizeof b);
    ask_launch(ask, &s->call);
    ask_read(ask, got, s->out, 2 * sizeof *got);
}

static void answer_fp8(struct ask *ask)
{
    struct fp8_sums s = {ask_buffer(ask, 32),
                         ask_buffer(ask, 32),
                         ask_buffer(ask, 8),
                         ask_kernel(ask, "fp8_sum", 1, 128, 4096),
                         0,
                         1};
    float got[2];
    ASK_ARGUMENT(&s.call, s.out);
    ASK_ARGUMENT(&s.call, s.a);
    ASK_ARGUMENT(&s.call, s.b);
    ASK_ARGUMENT(&s.call, s.c);
    ASK_ARGUMENT(&s.call, s.times);
    for (uint32_t j = 6; j <= 18; j++) {
        char name[32];
        const double kept = j <= 13 ? 31 : 0;
        sum_fp8(ask, &s, true, j, got);
        snprintf(name, sizeof name, "kept_of_31_at_%u", j);
        ask_expect(ask, name, ldexp((double)got[0] - 1, (int)j), kept, kept);
        snprintf(name, sizeof name, "by_mma_sync_at_%u", j);
        ask_expect(ask, name, ldexp((double)got[1] - 1, (int)j), 31, 31);
    }
    s.c = 1;
    s.times = 128;
    sum_fp8(ask, &s, false, 14, got);
    ask_expect(ask, "1_and_4096_at_14", (double)got[0], 1, 1);
    ask_expect(ask, "1_and_4096_at_14_by_mma_sync", (double)got[1], 1.25, 1.25);
}

// ---- Cycles -------------------------------------------------------------------------

// Of one of `groups` warpgroups' products in turn.
static double cycles_of(struct ask *ask, const char *entry, uint32_t groups)
{
    const hone_devptr out = ask_buffer(ask, 64), zeroes = ask_buffer(ask, 16 * 256);
    struct ask_call call = ask_kernel(ask, entry, 1, 128 * groups, 40960 + 1024);
    uint32_t got[16];
    double each[7];
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, zeroes);
    for (size_t i = 0; i < 7; i++) {
        ask_launch(ask, &call);
        ask_read(ask, got, out, sizeof got);
        uint32_t few = 0, many = 0;
        for (uint32_t w = 0; w < groups; w++) {
            const uint32_t *of = got + 4 * w;
            few = of[1] - of[0] > few ? of[1] - of[0] : few;
            many = of[3] - of[2] > many ? of[3] - of[2] : many;
        }
        each[i] = ((double)many - (double)few) / 64 / groups;
    }
    return median(each, 7);
}

static void answer_wgmma_cycles(struct ask *ask)
{
    static const uint32_t widths[] = {8, 16, 32, 64, 96, 128, 192, 256};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const double n = widths[i], tensor = n / 2, shared = n / 4;
        for (uint32_t groups = 1; groups <= 2; groups++) {
            char entry[32], name[32];
            snprintf(entry, sizeof entry, "wgmma_rs_%u", widths[i]);
            snprintf(name, sizeof name, "rs_n%u_by_%u", widths[i], groups);
            const double rs = cycles_of(ask, entry, groups),
                         rs_model = fmax(tensor, shared);
            ask_expect(ask, name, rs, 0.9 * rs_model, 1.15 * rs_model + 2);
            snprintf(entry, sizeof entry, "wgmma_ss_%u", widths[i]);
            snprintf(name, sizeof name, "ss_n%u_by_%u", widths[i], groups);
            const double ss = cycles_of(ask, entry, groups);
            const double ss_model = fmax(tensor, 16 + shared);
            ask_expect(ask, name, ss, 0.9 * ss_model, 1.15 * ss_model + 2);
        }
    }
}

static double median_of_16(struct ask *ask, hone_devptr out, double *first)
{
    uint32_t got[16];
    double rest[15];
    ask_read(ask, got, out, sizeof got);
    *first = got[0];
    for (size_t i = 0; i < 15; i++)
        rest[i] = got[i + 1];
    return median(rest, 15);
}

static void bulk_latency(struct ask *ask, const char *name, uint32_t bytes,
                         uint64_t stride, const double bounds[2])
{
    const hone_devptr out = ask_buffer(ask, 64);
    const hone_devptr from = ask_buffer(ask, bytes + 15 * stride);
    struct ask_call call = ask_kernel(ask, "bulk_latency", 1, 1, 32768);
    double first;
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, bytes);
    ASK_ARGUMENT(&call, stride);
    ask_launch(ask, &call);
    const double cycles = median_of_16(ask, out, &first);
    ask_expect(ask, name, cycles, bounds[0], bounds[1]);
}

static void answer_tma_latency(struct ask *ask)
{
    bulk_latency(ask, "bulk_128_from_l2", 128, 0, (const double[]){400, 1200});
    bulk_latency(ask, "bulk_2048_from_l2", 2048, 0, (const double[]){400, 1300});
    bulk_latency(ask, "bulk_16384_from_l2", 16384, 0, (const double[]){500, 2000});
    bulk_latency(ask, "bulk_2048_16_MB_apart", 2048, 16u << 20,
                 (const double[]){600, 3000});
    const hone_devptr out = ask_buffer(ask, 64);
    const hone_devptr tensor = ask_buffer(ask, MAP_WIDTH * MAP_HEIGHT * 2);
    const struct map_case box = {"", 128, 64, 8, 1, 0, 0, 0, true};
    const uint32_t bytes = 1024;
    CUtensorMap map;
    char why[64];
    double first;
    if (!encode(ask, &box, tensor, &map, why)) ask_cannot("%s", why);
    struct ask_call call = ask_kernel(ask, "tma_latency", 1, 1, 32768);
    ASK_ARGUMENT(&call, map);
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, bytes);
    ask_launch(ask, &call);
    ask_expect(ask, "tensor_1024_from_l2", median_of_16(ask, out, &first), 400, 1300);
    ask_say(ask, "tensor_1024_first", first);
}

// Gigabytes a second from so much memory, read `times` times by all multiprocessors.
static double bulk_rate(struct ask *ask, uint64_t bytes, uint64_t times)
{
    enum { TILE = 16384, STAGES = 8 };
    const uint32_t blocks = (uint32_t)ask->dev->limits.sm_count;
    const uint32_t n = (uint32_t)(bytes / TILE);
    const uint32_t tiles = (uint32_t)(bytes * times / TILE / blocks);
    const hone_devptr from = ask_buffer(ask, bytes);
    struct ask_call call = ask_kernel(ask, "bulk_rate", blocks, 1, STAGES * TILE + 1024);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, n);
    ASK_ARGUMENT(&call, tiles);
    const double us = ask_time_us(ask, &call, true);
    return (double)tiles * TILE * blocks / us / 1e3;
}

static void answer_tma_rate(struct ask *ask)
{
    const double nominal = (double)ask->dev->limits.memory_bandwidth_mbs / 1e3;
    const double far = bulk_rate(ask, 1ull << 30, 1);
    ask_expect(ask, "gb_per_s_from_dram", far, 0.75 * nominal, nominal);
    ask_expect(ask, "gb_per_s_from_l2", bulk_rate(ask, 16u << 20, 32), far, 4 * nominal);
}

static void answer_far_shared(struct ask *ask)
{
    enum { THREADS = 512 };
    const hone_devptr out = ask_buffer(ask, 16);
    struct ask_call call = ask_kernel(ask, "far_shared", 2, THREADS, 0);
    uint32_t got[3];
    ASK_ARGUMENT(&call, out);
    for (size_t i = 0; i < 3; i++)
        ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    ask_expect(ask, "cycles_own", got[0] / 256.0, 20, 60);
    ask_expect(ask, "cycles_other", got[1] / 256.0, 150, 280);
    ask_expect(ask, "bytes_per_cycle_other", THREADS * 64 * 16.0 / got[2], 8, 128);
}

// ---- L2 and clocks ------------------------------------------------------------------

static void needs_time(const struct ask *ask)
{
    if (ask->dev->clock == HONE_CLOCK_EMULATED)
        ask_cannot("%s predicts, and measures nothing", ask->device);
}

struct l2_lines {
    struct ask_call touch, read;
    hone_devptr flush, data, times, sink;
    uint64_t flush_count, data_count;
    uint32_t write;
};

// Microseconds to read the data after as much as twice L2 was written, or read.
static double read_after(struct ask *ask, struct l2_lines *l2, bool write)
{
    uint64_t times[2] = {UINT64_MAX, 0};
    l2->write = write;
    ask_launch(ask, &l2->touch);
    ask_write(ask, l2->times, times, sizeof times);
    ask_launch(ask, &l2->read);
    ask_read(ask, times, l2->times, sizeof times);
    return (double)(times[1] - times[0]) / 1e3;
}

static void answer_write_back(struct ask *ask)
{
    enum { MB = 1 << 20, RUNS = 9 };
    needs_time(ask);
    const uint32_t blocks = 8 * (uint32_t)ask->dev->limits.sm_count;
    const uint64_t l2_bytes = (uint64_t)ask->dev->limits.l2_bytes;
    struct l2_lines l2 = {.touch = ask_kernel(ask, "touch_lines", blocks, 256, 0),
                          .read = ask_kernel(ask, "read_timed", blocks, 256, 0),
                          .flush = ask_buffer(ask, 2 * l2_bytes),
                          .data = ask_buffer(ask, 64 * MB),
                          .times = ask_buffer(ask, 16),
                          .sink = ask_buffer(ask, 4),
                          .flush_count = 2 * l2_bytes / 16,
                          .data_count = 64 * MB / 16};
    double dirty[RUNS], clean[RUNS];
    ASK_ARGUMENT(&l2.touch, l2.flush);
    ASK_ARGUMENT(&l2.touch, l2.flush_count);
    ASK_ARGUMENT(&l2.touch, l2.write);
    ASK_ARGUMENT(&l2.touch, l2.sink);
    ASK_ARGUMENT(&l2.read, l2.data);
    ASK_ARGUMENT(&l2.read, l2.data_count);
    ASK_ARGUMENT(&l2.read, l2.times);
    ASK_ARGUMENT(&l2.read, l2.sink);
    for (size_t i = 0; i < RUNS; i++) {
        dirty[i] = read_after(ask, &l2, true);
        clean[i] = read_after(ask, &l2, false);
    }
    const double dirty_us = median(dirty, RUNS), clean_us = median(clean, RUNS);
    ask_say(ask, "l2_bytes", (double)l2_bytes);
    ask_say(ask, "read_64_mb_after_writes_us", dirty_us);
    ask_say(ask, "read_64_mb_after_reads_us", clean_us);
    ask_expect(ask, "write_back_us", dirty_us - clean_us, 0, 40);
}

static void answer_clocks(struct ask *ask)
{
    static const enum hone_clock clocks[] = {HONE_CLOCK_EVENT, HONE_CLOCK_GRAPH,
                                             HONE_CLOCK_CUPTI};
    static const uint64_t spins[] = {2000, 10000, 100000, 1000000};
    needs_time(ask);
    for (size_t c = 0; c < 3; c++) {
        const char *clock = hone_clock_name(clocks[c]);
        if (!ask_reopen(ask, clocks[c])) {
            ask_say_text(ask, clock, "not there");
            continue;
        }
        for (size_t i = 0; i < 4; i++) {
            char name[32];
            uint64_t took = 0;
            const hone_devptr out = ask_buffer(ask, 8);
            struct ask_call call = ask_kernel(ask, "spin_ns", 1, 1, 0);
            ASK_ARGUMENT(&call, out);
            ASK_ARGUMENT(&call, spins[i]);
            const double us = ask_time_us(ask, &call, true);
            ask_read(ask, &took, out, sizeof took);
            snprintf(name, sizeof name, "%s_bias_of_%u_us", clock,
                     (unsigned)(spins[i] / 1000));
            ask_expect(ask, name, us - (double)took / 1e3, -0.5, 5);
        }
    }
}

static const struct question questions[] = {
    {"carry", "What does addc add after sub.cc, and subc take away after add.cc?",
     "sub.cc sets the flag where there is no borrow: ptxas makes IADD3 with -b of it and "
     "adds that carry; 5_3_sub_addc is 1",
     "ASK_GENERAL", 20, true, answer_carry},
    {"fresh_barrier", "Which parity does a fresh mbarrier say to be over?",
     "parity 1, not parity 0: the phase before the first counts as complete", "ASK_ASYNC",
     20, true, answer_fresh_barrier},
    {"tma_boxes",
     "Where does a copy by a tensor map put the elements of a box (a dump of shared "
     "memory, "
     "words of 16 bits, ffff where nothing came)?",
     "packed, then address bits 7-9 of absolute addresses xor bits 4-6 (1, 3, 7 of them "
     "for 32, 64, 128 bytes); outside 0; a box narrower than the swizzle: not known",
     "ASK_ASYNC", 30, true, answer_tma_boxes},
    {"wgmma_b", "Where does wgmma find B[k][n] (element of shared memory, [n][k])?",
     "the canonical layouts of PTX with the swizzle on absolute addresses; LBO and SBO "
     "change places between MN-major with and without swizzle",
     "ASK_LAYOUT", 30, true, answer_wgmma_b},
    {"wgmma_a", "Where does wgmma find A[m][k] (element of shared memory, [m][k])?",
     "as of B, with rows for columns", "ASK_LAYOUT", 30, true, answer_wgmma_a},
    {"fp8_accumulator",
     "How many of 31 products of 2^-j are left beside 1 in a sum of e4m3?",
     "wgmma keeps 13 bits behind the largest, so 31 up to j = 13 and none beyond; "
     "mma.sync "
     "goes by f16 products and keeps all",
     "ASK_LAYOUT", 30, true, answer_fp8},
    {"wgmma_cycles",
     "Cycles of one m64nNk16 of a chain, A in registers (rs) or shared (ss), by 1 and by "
     "2 "
     "warpgroups of one multiprocessor",
     "N / 2, or 16 + N / 4 where A and B come from shared memory and that is more",
     "ASK_CYCLES", 60, false, answer_wgmma_cycles},
    {"tma_latency", "Cycles from the issue of a bulk copy to its barrier",
     "600 to 1000 from L2, more from DRAM", "ASK_ASYNC", 30, false, answer_tma_latency},
    {"tma_rate", "Bytes a second by bulk copies of 16 KB, 8 in flight a multiprocessor",
     "75 to 100 % of nominal from DRAM, more from L2", "ASK_ASYNC", 40, false,
     answer_tma_rate},
    {"far_shared",
     "Cycles of a load from another block's shared memory, beside one's own, and its "
     "rate",
     "20 to 60 own, 150 to 280 other (180 to 213 in published measurements)", "ASK_ASYNC",
     30, false, answer_far_shared},
    {"write_back",
     "What reading 64 MB pays more when L2 is full of lines that were written",
     "up to 15 us: as much as L2, at the bandwidth of DRAM", "ASK_GENERAL", 40, false,
     answer_write_back},
    {"clock_bias", "How much longer than itself does each clock say a spin takes?",
     "events 1 to 3 us, graphs up to 1, CUPTI under 0.5", "ASK_GENERAL", 60, false,
     answer_clocks},
};

int main(int argc, char **argv)
{
    return ask_main(argc, argv, questions, sizeof questions / sizeof *questions);
}
