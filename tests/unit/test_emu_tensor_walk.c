// The walk of a copy by tensor map against an oracle that knows each element alone: boxes
// and pixels of all ranks, swizzles, edges, element strides.
#include <string.h>

#include "emu/async/tensor_map.h"
#include "hone/rng.h"
#include "hone_test.h"
#include "tensor_oracle.h"

enum { SHARED = 1 << 16, MAPS = 3000 };
#define BASE UINT64_C(0x10000000)

static uint64_t wanted[SHARED], got[SHARED];

static void begin(void)
{
    memset(wanted, 0xff, sizeof wanted);
    memset(got, 0xff, sizeof got);
}

// What the walk says of one part of a line.
static void put(const struct hone_tensor_map *map, uint32_t address, uint32_t bytes,
                uint64_t source)
{
    for (uint32_t done = 0, n; done < bytes; done += n) {
        n = hone_emu_tensor_piece(&map->modes, address + done);
        if (n > bytes - done) n = bytes - done;
        const uint32_t to = hone_emu_tensor_swizzle(&map->modes, address + done);
        for (uint32_t b = 0; b < n; b++)
            got[to + b] = source == ORACLE_FILLED ? source : source + done + b;
    }
}

static void walk(const struct hone_tensor_map *map, const int32_t *coordinates,
                 const uint16_t *offsets, uint32_t destination)
{
    struct hone_emu_tensor_walk walk;
    struct hone_emu_tensor_line line;
    hone_emu_tensor_begin(&walk, map, BASE, coordinates, offsets);
    while (hone_emu_tensor_next(&walk, &line)) {
        const uint32_t at = destination + line.shared, inside = at + line.before;
        put(map, at, line.before, ORACLE_FILLED);
        put(map, inside, line.bytes, line.global);
        put(map, inside + line.bytes, line.after, ORACLE_FILLED);
    }
}

static void compare(const char *what, const struct hone_tensor_map *map, uint32_t bytes)
{
    assert_int_equal(hone_emu_tensor_bytes(map), bytes);
    for (uint32_t k = 0; k < SHARED; k++)
        if (got[k] != wanted[k])
            fail_msg("%s: byte %u of shared memory holds %llx, not %llx", what, k,
                     (unsigned long long)got[k], (unsigned long long)wanted[k]);
}

// ---- boxes ----

// A matrix of 64 x 16 elements of 16 bits, as the questions for a GPU have it.
static void each_swizzle_puts_a_box_where_the_tables_say(void **state)
{
    (void)state;
    static const struct {
        struct hone_map_modes modes;
        uint32_t width, height, step, destination;
        int32_t x, y;
    } cases[] = {
        {{0}, 64, 8, 1, 0, 0, 0},
        {{.swizzle = 32}, 16, 8, 1, 0, 0, 0},
        {{.swizzle = 64}, 32, 8, 1, 0, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, 0, 0},
        {{.swizzle = 32}, 16, 8, 1, 128, 0, 0},
        {{.swizzle = 64}, 32, 8, 1, 128, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 128, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 512, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, -3, -2},
        {{.swizzle = 64}, 32, 8, 1, 0, 50, 12},
        {{.swizzle = 128}, 64, 8, 1, 0, 64, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, -64, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, 0, 16},
        {{0}, 64, 9, 3, 0, 0, 1},
        {{.swizzle = 128}, 64, 9, 3, 0, 0, 1},
        {{.swizzle = 128}, 16, 8, 1, 0, 0, 0},
        {{.swizzle = 128, .atom = 32}, 64, 8, 1, 0, 0, 0},
        {{.swizzle = 128, .atom = 32, .flip = 1}, 64, 8, 1, 128, 0, 0},
        {{.swizzle = 128, .atom = 64}, 64, 8, 1, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct hone_tensor_map map = {.rank = 2,
                                            .type = 1,
                                            .size = {64, 16},
                                            .stride_bytes = {2, 128},
                                            .box = {cases[i].width, cases[i].height},
                                            .step = {1, cases[i].step},
                                            .modes = cases[i].modes};
        const int32_t coordinates[] = {cases[i].x, cases[i].y};
        char what[32];
        snprintf(what, sizeof what, "case %zu", i);
        begin();
        const uint32_t bytes =
            oracle_box(&map, BASE, coordinates, cases[i].destination, wanted);
        walk(&map, coordinates, NULL, cases[i].destination);
        compare(what, &map, bytes);
    }
}

// Four places read off the published figure of the 128-byte mode.
static void a_swizzle_of_128_has_the_places_of_its_figure(void **state)
{
    (void)state;
    const struct hone_map_modes modes = {.swizzle = 128};
    assert_int_equal(hone_emu_tensor_swizzle(&modes, 0), 0);
    assert_int_equal(hone_emu_tensor_swizzle(&modes, 128), 128 + 16);
    assert_int_equal(hone_emu_tensor_swizzle(&modes, 3 * 128 + 16), 3 * 128 + 32);
    assert_int_equal(hone_emu_tensor_swizzle(&modes, 7 * 128 + 112), 7 * 128);
    assert_int_equal(hone_emu_tensor_swizzle(&modes, 8 * 128), 8 * 128);
}

static void choose_swizzle(struct hone_rng *rng, uint32_t inner,
                           struct hone_map_modes *modes)
{
    static const uint32_t spans[] = {0, 32, 64, 128}, atoms[] = {0, 32, 64};
    modes->swizzle = spans[hone_rng_below(rng, 4)];
    if (modes->swizzle && inner > modes->swizzle) modes->swizzle = 0;
    if (modes->swizzle == 128) modes->atom = atoms[hone_rng_below(rng, 3)];
    if (modes->atom == 32) modes->flip = (uint32_t)hone_rng_below(rng, 2);
}

static uint32_t between(struct hone_rng *rng, uint32_t least, uint32_t most)
{
    return least + (uint32_t)hone_rng_below(rng, most - least + 1);
}

// Sizes, and strides of at least as much.
static void choose_tensor(struct hone_rng *rng, struct hone_tensor_map *map)
{
    static const uint32_t types[] = {0, 1, 2, 4, 6, 8, 9};
    map->type = types[hone_rng_below(rng, 7)];
    uint64_t stride = hone_map_type_bytes(map->type);
    for (uint32_t i = 0; i < map->rank; i++) {
        map->stride_bytes[i] = stride;
        map->size[i] = between(rng, 1, i ? 9 : 40);
        map->step[i] = between(rng, 0, 4);
        stride = (stride * map->size[i] + 15) / 16 * 16 + 16 * hone_rng_below(rng, 3);
    }
}

static void random_boxes_of_all_ranks_are_walked_as_the_oracle_says(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 19);
    for (uint32_t n = 0; n < MAPS; n++) {
        struct hone_tensor_map map = {.rank = 1 + n % 5};
        int32_t coordinates[HONE_MAP_RANK_MAX];
        char what[64], why[128];
        choose_tensor(&rng, &map);
        const uint32_t unit = 16 / (uint32_t)map.stride_bytes[0];
        for (uint32_t i = 0; i < map.rank; i++) {
            map.box[i] = i ? between(&rng, 1, 5) : unit * between(&rng, 1, 8);
            coordinates[i] = (int32_t)between(&rng, 0, (uint32_t)map.size[i] + 8) - 4;
        }
        choose_swizzle(&rng, map.box[0] * (uint32_t)map.stride_bytes[0], &map.modes);
        if (!hone_map_check(&map, why, sizeof why)) fail_msg("%s", why);
        const uint32_t destination = 128 * between(&rng, 0, 9);
        snprintf(what, sizeof what, "map %u of rank %u", n, map.rank);
        begin();
        const uint32_t bytes = oracle_box(&map, BASE, coordinates, destination, wanted);
        walk(&map, coordinates, NULL, destination);
        compare(what, &map, bytes);
    }
}

// ---- pixels ----

static void pixels_are_the_rows_that_a_convolution_gathers(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 20);
    for (uint32_t n = 0; n < MAPS; n++) {
        struct hone_tensor_map map = {.rank = 3 + n % 3};
        int32_t coordinates[HONE_MAP_RANK_MAX];
        uint16_t offsets[HONE_MAP_RANK_MAX - 2];
        char what[64], why[128];
        choose_tensor(&rng, &map);
        map.step[map.rank - 1] = 1; // images follow one another
        map.pixels.channels = 16 / (uint32_t)map.stride_bytes[0] * between(&rng, 1, 4);
        map.pixels.count = between(&rng, 1, 40);
        for (uint32_t i = 0; i + 2 < map.rank; i++) {
            const uint32_t filter = between(&rng, 1, 3), pad = between(&rng, 0, 2);
            map.size[i + 1] += 2; // at least one place for the filter
            map.pixels.lower[i] = -(int32_t)pad;
            map.pixels.upper[i] = (int32_t)pad - (int32_t)(filter - 1);
            offsets[i] = (uint16_t)hone_rng_below(&rng, filter);
        }
        choose_swizzle(&rng, map.pixels.channels * (uint32_t)map.stride_bytes[0],
                       &map.modes);
        if (!hone_map_check(&map, why, sizeof why)) fail_msg("%s", why);
        const uint64_t first = hone_rng_below(&rng, 60);
        const int32_t channel = (int32_t)between(&rng, 0, 20) - 4;
        oracle_first_pixel(&map, channel, first, coordinates);
        snprintf(what, sizeof what, "map %u of rank %u", n, map.rank);
        begin();
        const uint32_t bytes =
            oracle_pixels(&map, BASE, channel, first, offsets, 256, wanted);
        walk(&map, coordinates, offsets, 256);
        compare(what, &map, bytes);
    }
}

static void what_lies_outside_is_zero_or_nan(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, nan;
        uint64_t bits;
    } cases[] = {{7, 0, 0},
                 {6, 1, UINT64_C(0x7fff7fff7fff7fff)},
                 {9, 1, UINT64_C(0x7fff7fff7fff7fff)},
                 {7, 1, UINT64_C(0x7fffffff7fffffff)},
                 {8, 1, UINT64_C(0x7fffffffffffffff)}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct hone_tensor_map map = {.type = cases[i].type,
                                            .modes = {.nan_fill = cases[i].nan}};
        const uint8_t *fill = hone_emu_tensor_fill(&map);
        for (size_t k = 0; k < HONE_EMU_LINE_MOST; k += 8)
            assert_memory_equal(fill + k, &cases[i].bits, 8);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_swizzle_puts_a_box_where_the_tables_say),
    cmocka_unit_test(a_swizzle_of_128_has_the_places_of_its_figure),
    cmocka_unit_test(random_boxes_of_all_ranks_are_walked_as_the_oracle_says),
    cmocka_unit_test(pixels_are_the_rows_that_a_convolution_gathers),
    cmocka_unit_test(what_lies_outside_is_zero_or_nan),
};
HONE_TEST_MAIN(tests)
