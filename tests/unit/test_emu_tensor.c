// Copies by tensor map in kernels: loads, stores and reductions in every order against the
// oracle, and every spelling that ptxas 13.0 takes for sm_90a.
#include "emu_tensor.h"

static const char *coordinates_of(uint32_t rank)
{
    static const char *const lists[] = {"%c0", "%c0,%c1", "%c0,%c1,%c2",
                                        "%c0,%c1,%c2,%c3", "%c0,%c1,%c2,%c3,%c4"};
    return lists[rank - 1];
}

static const char *offsets_of(uint32_t rank)
{
    static const char *const lists[] = {"{%h0}", "{%h0,%h1}", "{%h0,%h1,%h2}"};
    return lists[rank - 3];
}

// ---- loads ----

static void load_as(struct run *run, const char *spelling, const char *end,
                    uint32_t bytes, uint32_t at)
{
    char body[4096];
    const uint32_t rank = run->map.rank;
    const bool pixels = run->map.pixels.channels;
    snprintf(body, sizeof body,
             "%s@%%p0 cp.async.bulk.tensor.%ud.%s [%%s2], [%%x0, {%s}], [%%s1]%s%s%s;\n"
             "%s%s",
             ARM, rank, spelling, coordinates_of(rank), pixels ? ", " : "",
             pixels ? offsets_of(rank) : "", end, WAIT, DUMP);
    tensor_launch_at(run, body, bytes, at);
}

static void load(struct run *run, uint32_t bytes, uint32_t at)
{
    load_as(run,
            run->map.pixels.channels
                ? "shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
                : "shared::cluster.global.mbarrier::complete_tx::bytes",
            "", bytes, at);
}

static const enum hone_emu_copy_time times[] = {HONE_EMU_COPY_EAGER, HONE_EMU_COPY_LAZY,
                                                HONE_EMU_COPY_RANDOM};
enum { TIMES = sizeof times / sizeof *times };

static void a_box_goes_where_the_tables_say_in_every_order(void **state)
{
    (void)state;
    static const struct {
        struct hone_map_modes modes;
        uint32_t width, height, step, at;
        int32_t x, y;
    } cases[] = {
        {{0}, 64, 8, 1, 0, 0, 0},
        {{.swizzle = 32}, 16, 8, 1, 128, 0, 0},
        {{.swizzle = 64}, 32, 8, 1, 128, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 128, 0, 0},
        {{.swizzle = 128}, 64, 8, 1, 0, -3, -2},
        {{.swizzle = 64}, 32, 8, 1, 0, 50, 12},
        {{.swizzle = 128}, 64, 8, 1, 0, 64, 0},
        {{.swizzle = 128}, 64, 9, 3, 0, 0, 1},
        {{.swizzle = 128, .atom = 32, .flip = 1}, 64, 8, 1, 128, 0, 0},
    };
    for (size_t i = 0; i < TIMES * sizeof cases / sizeof *cases; i++) {
        struct run run;
        uint64_t places[SHARED];
        char what[32];
        tensor_begin(&run);
        memset(places, 0xff, sizeof places);
        run.when = times[i % TIMES];
        run.map.modes = cases[i / TIMES].modes;
        run.map.box[0] = cases[i / TIMES].width;
        run.map.box[1] = cases[i / TIMES].height;
        run.map.step[1] = cases[i / TIMES].step;
        run.coordinates[0] = cases[i / TIMES].x;
        run.coordinates[1] = cases[i / TIMES].y;
        const uint32_t at = cases[i / TIMES].at;
        load(&run, oracle_box(&run.map, 0, run.coordinates, at, places), at);
        snprintf(what, sizeof what, "case %zu, order %zu", i / TIMES, i % TIMES);
        tensor_expect_loaded(&run, places, what);
    }
}

static uint32_t draw(struct hone_rng *rng, uint32_t least, uint32_t most)
{
    return least + (uint32_t)hone_rng_below(rng, most - least + 1);
}

// A map of the rank that fits into TENSOR and whose box fits into SHARED.
static void choose_map(struct hone_rng *rng, struct hone_tensor_map *map, uint32_t rank)
{
    static const uint32_t types[] = {0, 1, 2, 4, 6, 7};
    const uint32_t most = rank < 4 ? 9 : 4;
    *map = (struct hone_tensor_map){.rank = rank, .type = types[hone_rng_below(rng, 6)]};
    uint64_t stride = hone_map_type_bytes(map->type);
    for (uint32_t i = 0; i < rank; i++) {
        map->stride_bytes[i] = stride;
        map->size[i] = draw(rng, 1, i ? most : 20);
        map->step[i] = draw(rng, 1, 3);
        map->box[i] = i ? draw(rng, 1, 3) : 16 / (uint32_t)stride * draw(rng, 1, 4);
        stride = (stride * map->size[i] + 15) / 16 * 16;
    }
    const uint32_t inner = map->box[0] * (uint32_t)map->stride_bytes[0];
    map->modes.swizzle = hone_rng_below(rng, 2) ? inner : 0;
    if (inner == 16 || inner == 48) map->modes.swizzle = 0;
}

static void random_maps_of_all_ranks_load_as_the_oracle_says(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 21);
    for (uint32_t n = 0; n < 40; n++) {
        struct run run;
        uint64_t places[SHARED];
        char what[32];
        tensor_begin(&run);
        memset(places, 0xff, sizeof places);
        choose_map(&rng, &run.map, 1 + n % 5);
        for (uint32_t i = 0; i < run.map.rank; i++)
            run.coordinates[i] =
                (int32_t)draw(&rng, 0, (uint32_t)run.map.size[i] + 4) - 2;
        run.when = times[n % TIMES];
        snprintf(what, sizeof what, "map %u", n);
        const uint32_t at = 128 * draw(&rng, 0, 3);
        load(&run, oracle_box(&run.map, 0, run.coordinates, at, places), at);
        tensor_expect_loaded(&run, places, what);
    }
}

static void pixels_are_those_of_a_convolution(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 22);
    for (uint32_t n = 0; n < 20; n++) {
        struct run run;
        uint64_t places[SHARED];
        char what[32];
        tensor_begin(&run);
        memset(places, 0xff, sizeof places);
        choose_map(&rng, &run.map, 3 + n % 3);
        struct hone_tensor_map *map = &run.map;
        map->modes.swizzle = 0;
        map->step[map->rank - 1] = 1;
        map->pixels.channels = 16 / (uint32_t)map->stride_bytes[0];
        map->pixels.count = draw(&rng, 1, 30);
        for (uint32_t i = 0; i + 2 < map->rank; i++) {
            const int32_t pad = (int32_t)draw(&rng, 0, 1);
            map->pixels.lower[i] = map->pixels.upper[i] = -pad;
            if (map->size[i + 1] == 1) map->pixels.upper[i] = 0;
            run.offsets[i] = (uint16_t)draw(&rng, 0, 2);
        }
        const uint64_t first = draw(&rng, 0, 20);
        oracle_first_pixel(map, 0, first, run.coordinates);
        run.when = times[n % TIMES];
        snprintf(what, sizeof what, "pixels %u", n);
        load(&run, oracle_pixels(map, 0, 0, first, run.offsets, 128, places), 128);
        tensor_expect_loaded(&run, places, what);
    }
}

static void every_spelling_of_a_load_loads(void **state)
{
    (void)state;
    static const struct {
        const char *spelling, *end;
    } cases[] = {
        {"shared::cluster.global.tile.mbarrier::complete_tx::bytes", ""},
        {"shared::cta.global.mbarrier::complete_tx::bytes", ""},
        {"shared::cta.global.tile.mbarrier::complete_tx::bytes", ""},
        {"shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint", ", %x2"},
        {"shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint", ", %x2"},
        {"shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster", ", 1"},
        {"shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
         ".L2::cache_hint",
         ", 1, %x2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run;
        uint64_t places[SHARED];
        tensor_begin(&run);
        memset(places, 0xff, sizeof places);
        const uint32_t bytes = oracle_box(&run.map, 0, run.coordinates, 0, places);
        load_as(&run, cases[i].spelling, cases[i].end, bytes, 0);
        tensor_expect_loaded(&run, places, cases[i].spelling);
    }
}

// ---- stores and reductions ----

/* Word i of s becomes 0x01000193 * i, with %t9 words a thread. */
#define RAMP                                                                             \
    "mov.u32 %t3, 0;\n"                                                                  \
    "R: shl.b32 %t4, %t3, 7; shl.b32 %t5, %t0, 2; add.u32 %t4, %t4, %t5;\n"              \
    "shr.u32 %t7, %t4, 2; mul.lo.u32 %t7, %t7, 0x01000193; add.u32 %t4, %t4, %s0;\n"     \
    "st.shared.u32 [%t4], %t7; add.u32 %t3, %t3, 1; setp.lt.u32 %p3, %t3, 64;\n"         \
    "@%p3 bra R; fence.proxy.async.shared::cta; bar.sync 0;\n"

static void ramp(uint8_t *shared)
{
    for (uint32_t i = 0; i < SHARED / 4; i++) {
        const uint32_t word = i * UINT32_C(0x01000193);
        memcpy(shared + 4 * (size_t)i, &word, 4);
    }
}

static void store_as(struct run *run, const char *name, const char *tail, uint32_t at)
{
    char body[4096];
    snprintf(body, sizeof body, "%s@%%p0 %s.%ud.%s [%%x0, {%s}], [%%s2]%s;\n%s", RAMP,
             name, run->map.rank, tail, coordinates_of(run->map.rank),
             strstr(tail, "cache_hint") ? ", %x2" : "", STORED);
    tensor_launch_at(run, body, 0, at);
}

static void expect_stored(const struct run *run, const uint64_t *places, const char *what)
{
    struct run wanted;
    uint8_t shared[SHARED];
    tensor_begin(&wanted);
    ramp(shared);
    if (run->fault.outcome != HONE_VALID) fail_msg("%s: %s", what, run->fault.reason);
    for (uint32_t k = 0; k < SHARED; k++)
        if (places[k] < TENSOR) wanted.tensor[places[k]] = shared[k];
    for (uint32_t k = 0; k < TENSOR; k++)
        if (run->tensor[k] != wanted.tensor[k])
            fail_msg("%s: byte %u of the tensor is %u, not %u", what, k, run->tensor[k],
                     wanted.tensor[k]);
}

static void stores_write_what_lies_in_the_tensor(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 23);
    for (uint32_t n = 0; n < 40; n++) {
        struct run run;
        uint64_t places[SHARED];
        char what[32];
        tensor_begin(&run);
        memset(places, 0xff, sizeof places);
        choose_map(&rng, &run.map, 1 + n % 5);
        for (uint32_t i = 0; i < run.map.rank; i++)
            run.coordinates[i] = (int32_t)draw(&rng, 0, (uint32_t)run.map.size[i]);
        run.when = times[n % TIMES];
        snprintf(what, sizeof what, "store %u", n);
        const uint32_t at = 128 * draw(&rng, 0, 3);
        oracle_box(&run.map, 0, run.coordinates, at, places);
        store_as(&run, "cp.async.bulk.tensor",
                 n % 2 ? "global.shared::cta.bulk_group"
                       : "global.shared::cta.tile.bulk_group.L2::cache_hint",
                 at);
        expect_stored(&run, places, what);
    }
}

// Two lanes store other rows of shared memory into one box.
static void copies_that_race_are_called_copies_by_tensor_map(void **state)
{
    static const char *const words[] = {
        "data race on global memory: copy by tensor map of warp 0 (PTX line 24) and, "
        "without a __syncwarp between them, copy by tensor map at",
        "data race on global memory: copy by tensor map of warp 0 (PTX line 24) and, "
        "without a __syncwarp between them, store at"};
    static const char *const others[] = {
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%x0, {0, 0}], [%s3];",
        "st.global.u32 [%x1], 0x12345678;"};
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct run run;
        char body[4096];
        tensor_begin(&run);
        run.check = true;
        snprintf(
            body, sizeof body,
            "%smov.u32 %%s2, s; add.u32 %%s3, %%s2, 1024; setp.eq.u32 %%p4, %%t0, 1;\n"
            "@%%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%%x0, {0, 0}]"
            ", [%%s2];\n@%%p4 %s\n%s",
            RAMP, others[i], STORED);
        tensor_launch(&run, body);
        assert_int_equal(run.fault.finding, HONE_FINDING_RACE);
        if (!strstr(run.fault.reason, words[i])) fail_msg("%s", run.fault.reason);
    }
}

static void pixels_are_stored_without_offsets(void **state)
{
    (void)state;
    struct run run;
    uint64_t places[SHARED];
    const uint16_t none[3] = {0};
    tensor_begin(&run);
    memset(places, 0xff, sizeof places);
    run.map = (struct hone_tensor_map){.rank = 4,
                                       .type = 1,
                                       .size = {16, 6, 5, 3},
                                       .stride_bytes = {2, 32, 192, 960},
                                       .pixels = {.channels = 8, .count = 40}};
    oracle_first_pixel(&run.map, 8, 7, run.coordinates);
    oracle_pixels(&run.map, 0, 8, 7, none, 0, places);
    store_as(&run, "cp.async.bulk.tensor", "global.shared::cta.im2col_no_offs.bulk_group",
             0);
    expect_stored(&run, places, "pixels");
}

static uint32_t reduce(const char *op, uint32_t old, uint32_t value)
{
    if (strcmp(op, "add") == 0) return old + value;
    if (strcmp(op, "min") == 0) return old < value ? old : value;
    if (strcmp(op, "max") == 0) return old > value ? old : value;
    if (strcmp(op, "inc") == 0) return old >= value ? 0 : old + 1;
    if (strcmp(op, "dec") == 0) return old == 0 || old > value ? value : old - 1;
    if (strcmp(op, "and") == 0) return old & value;
    if (strcmp(op, "or") == 0) return old | value;
    return old ^ value;
}

static void reductions_take_the_type_of_the_map(void **state)
{
    (void)state;
    static const char *const ops[] = {"add", "min", "max", "inc",
                                      "dec", "and", "or",  "xor"};
    for (size_t i = 0; i < TIMES * sizeof ops / sizeof *ops; i++) {
        const char *op = ops[i / TIMES];
        struct run run, before;
        uint64_t places[SHARED];
        uint8_t shared[SHARED];
        char tail[64];
        tensor_begin(&run);
        tensor_begin(&before);
        ramp(shared);
        memset(places, 0xff, sizeof places);
        run.when = times[i % TIMES];
        run.map.type = 2;
        run.map.stride_bytes[0] = 4;
        run.map.size[0] = 32;
        run.map.box[0] = 32;
        run.coordinates[0] = 5; // the end of the box is outside
        oracle_box(&run.map, 0, run.coordinates, 1024, places);
        snprintf(tail, sizeof tail, "global.shared::cta.%s%s.bulk_group", op,
                 i % 2 ? ".tile" : "");
        store_as(&run, "cp.reduce.async.bulk.tensor", tail, 1024);
        if (run.fault.outcome != HONE_VALID) fail_msg("%s: %s", op, run.fault.reason);
        for (uint32_t k = 0; k < SHARED; k += 4) {
            uint32_t old, value, got;
            if (places[k] >= TENSOR) continue;
            memcpy(&old, before.tensor + places[k], 4);
            memcpy(&value, shared + k, 4);
            memcpy(&got, run.tensor + places[k], 4);
            if (got != reduce(op, old, value))
                fail_msg("%s of %u and %u is %u", op, old, value, got);
        }
    }
}

// ---- forms that move nothing ----

static void prefetches_are_taken_in_every_spelling(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "cp.async.bulk.prefetch.tensor.2d.L2.global [%x0, {%c0, %c1}];",
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%x0, {0, -1}];",
        "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::cache_hint [%x0, {%c0, %c1}]"
        ", %x2;",
        "prefetch.tensormap [%x0];",
        "prefetch.param.tensormap [%x3];",
        "prefetch.param.tensormap [m];",
        "fence.proxy.tensormap::generic.release.cta;",
        "fence.proxy.tensormap::generic.release.sys;",
        "fence.proxy.tensormap::generic.acquire.gpu [%x1], 128;",
        "fence.proxy.tensormap::generic.acquire.cluster [%x1+64], 128;",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct run run;
        tensor_begin(&run);
        tensor_launch(&run, cases[i]);
        if (run.fault.outcome != HONE_VALID)
            fail_msg("%s: %s", cases[i], run.fault.reason);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_box_goes_where_the_tables_say_in_every_order),
    cmocka_unit_test(random_maps_of_all_ranks_load_as_the_oracle_says),
    cmocka_unit_test(pixels_are_those_of_a_convolution),
    cmocka_unit_test(every_spelling_of_a_load_loads),
    cmocka_unit_test(stores_write_what_lies_in_the_tensor),
    cmocka_unit_test(copies_that_race_are_called_copies_by_tensor_map),
    cmocka_unit_test(pixels_are_stored_without_offsets),
    cmocka_unit_test(reductions_take_the_type_of_the_map),
    cmocka_unit_test(prefetches_are_taken_in_every_spelling),
};
HONE_TEST_MAIN(tests)
