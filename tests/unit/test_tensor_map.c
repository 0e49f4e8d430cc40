/* Tensor maps: what a driver takes, the numbers it is given, and devices without. */
#include "hone_test.h"

#include "evaluate/buffers.h"
#include "fake/fake_use.h"
#include "hone/tensor_map.h"

static struct hone_tensor_map matrix(void)
{
    return (struct hone_tensor_map){.rank = 2,
                                    .type = hone_map_type("bf16"),
                                    .size = {4096, 100},
                                    .stride_bytes = {2, 8192},
                                    .box = {64, 128},
                                    .modes = {.swizzle = 128}};
}

// Channels, columns, rows, images.
static struct hone_tensor_map images(void)
{
    return (struct hone_tensor_map){
        .rank = 4,
        .type = hone_map_type("f16"),
        .size = {64, 12, 10, 3},
        .stride_bytes = {2, 128, 12 * 128, 120 * 128},
        .pixels = {.channels = 32, .count = 16, .lower = {-1, -1}, .upper = {-1, -1}},
        .modes = {.swizzle = 64}};
}

static void what_no_driver_takes_is_refused_with_its_limit(void **state)
{
    (void)state;
    static const struct {
        uint64_t size, stride;
        uint32_t inner, outer, rank, swizzle, interleave;
        const char *why; // NULL: it is taken
    } cases[] = {
        {100, 8192, 64, 128, 2, 128, 0, NULL},
        {100, 8192, 32, 256, 2, 64, 0, NULL},
        {100, 8192, 8, 1, 2, 0, 0, NULL},
        {UINT64_C(1) << 32, 8192, 64, 1, 2, 128, 0, NULL},
        {0, 8192, 64, 128, 2, 128, 0, "a size of 0 in axis 2, from 1 to 2^32"},
        {(UINT64_C(1) << 32) + 1, 8192, 64, 1, 2, 128, 0,
         "a size of 4294967297 in axis 2"},
        {100, 8200, 64, 128, 2, 128, 0,
         "a stride of 8200 bytes in axis 2, multiples of 16"},
        {100, UINT64_C(1) << 40, 64, 1, 2, 128, 0, "a stride of 1099511627776 bytes"},
        {100, 8192, 64, 257, 2, 128, 0, "a box of 257 in axis 2, from 1 to 256"},
        {100, 8192, 64, 0, 2, 128, 0, "a box of 0 in axis 2"},
        {100, 8192, 65, 1, 2, 0, 0, "a box of 130 bytes in axis 1, multiples of 16"},
        {100, 8192, 128, 1, 2, 128, 0,
         "a box of 256 bytes in axis 1, the swizzle allows 128"},
        {100, 8192, 64, 1, 2, 0, 16, "2 axes, interleaving wants 3 or more"},
        {100, 8208, 64, 1, 2, 0, 32, "multiples of 32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_tensor_map map = matrix();
        char why[128];
        map.size[1] = cases[i].size;
        map.stride_bytes[1] = cases[i].stride;
        map.box[0] = cases[i].inner;
        map.box[1] = cases[i].outer;
        map.modes.swizzle = cases[i].swizzle;
        map.modes.interleave = cases[i].interleave;
        assert_int_equal(hone_map_check(&map, why, sizeof why), !cases[i].why);
        if (cases[i].why && !strstr(why, cases[i].why)) fail_msg("%zu: %s", i, why);
    }
}

// Each rule of cuda.h once, by one thing changed in a map that is right.
static void each_rule_of_the_encoder_is_told_with_its_limit(void **state)
{
    (void)state;
#define CASE(field, value, text)                                                         \
    {                                                                                    \
        offsetof(struct hone_tensor_map, field), (uint32_t)(value), text                 \
    }
    static const struct {
        size_t at;
        uint32_t value;
        const char *why; // NULL: it is taken
    } boxes[] = {CASE(rank, 0, "0 axes, from 1 to 5"),
                 CASE(rank, 6, "6 axes, from 1 to 5"),
                 CASE(type, 13, "elements of type 13, from 0 to 12"),
                 CASE(step[0], 8, NULL),
                 CASE(step[1], 9, "an element stride of 9 in axis 2, from 1 to 8"),
                 CASE(modes.swizzle, 96, "a swizzle of 96 bytes, 32, 64 and 128"),
                 CASE(modes.interleave, 64, "interleaving by 64 bytes, 16 and 32"),
                 CASE(modes.interleave, 32,
                      "a swizzle of 128 bytes, interleaving by 32 bytes wants 32"),
                 CASE(modes.promotion, 32, "a promotion to 32 bytes of L2, 64, 128"),
                 CASE(modes.atom, 64, NULL),
                 CASE(modes.atom, 48, "swizzled atoms of 48 bytes, 16, 32 and 64"),
                 CASE(modes.flip, 1, "atoms of 16 bytes with a flip"),
                 CASE(modes.nan_fill, 1, NULL)},
      pixels[] = {CASE(rank, 2, "2 axes, copies of pixels want 3 to 5"),
                  CASE(pixels.channels, 257, "257 channels a pixel, from 1 to 256"),
                  CASE(pixels.count, 0, "0 pixels a column, from 1 to 1024"),
                  CASE(pixels.count, 1025, "1025 pixels a column, from 1 to 1024"),
                  CASE(pixels.lower[0], -129,
                       "a corner of -129 in axis 2, from -128 to 127 are allowed with 4"),
                  CASE(pixels.upper[1], 128, "a corner of 128 in axis 3, from -128"),
                  CASE(pixels.upper[1], -11,
                       "corners -1 and -11 in axis 3, which leave none of 10 pixels"),
                  CASE(pixels.upper[1], -10, NULL)};
#undef CASE
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes + sizeof pixels / sizeof *pixels;
         i++) {
        const size_t k = i - sizeof boxes / sizeof *boxes;
        const bool tiled = i < sizeof boxes / sizeof *boxes;
        struct hone_tensor_map map = tiled ? matrix() : images();
        const char *why = tiled ? boxes[i].why : pixels[k].why;
        char got[128];
        memcpy((char *)&map + (tiled ? boxes[i].at : pixels[k].at),
               tiled ? &boxes[i].value : &pixels[k].value, 4);
        assert_int_equal(hone_map_check(&map, got, sizeof got), !why);
        if (why && !strstr(got, why)) fail_msg("%zu: %s", i, got);
    }
}

static void what_holds_for_some_types_and_places_is_told(void **state)
{
    (void)state;
    char why[128];
    struct hone_tensor_map map = matrix();
    map.modes.nan_fill = 1;
    map.type = hone_map_type("u16");
    assert_false(hone_map_check(&map, why, sizeof why));
    assert_string_equal(why, "a fill of NaN, elements that are no floats take 0");
    map = matrix();
    map.modes.swizzle = 64;
    map.box[0] = 32;
    map.modes.atom = 32;
    assert_false(hone_map_check(&map, why, sizeof why));
    assert_string_equal(why, "swizzled atoms of 32 bytes, a swizzle of 64 bytes has 16");
    map = matrix();
    unsigned char bytes[HONE_MAP_BYTES];
    assert_false(hone_map_encode(&map, 4104, bytes, why, sizeof why));
    assert_string_equal(why, "a tensor at 0x1008, multiples of 16 are allowed");
    map = images();
    map.modes.interleave = map.modes.swizzle = 32;
    assert_false(hone_map_encode(&map, 4112, bytes, why, sizeof why));
    assert_string_equal(why, "a tensor at 0x1010, multiples of 32 are allowed");
}

static void what_is_packed_is_unpacked_as_it_was(void **state)
{
    (void)state;
    struct hone_tensor_map maps[] = {matrix(), images()}, seen;
    unsigned char bytes[HONE_MAP_BYTES] = {0};
    uint64_t base;
    assert_false(hone_map_unpack(bytes, &seen, &base));
    maps[0].modes = (struct hone_map_modes){.swizzle = 128, .atom = 32, .flip = 2};
    for (size_t i = 0; i < 2; i++) {
        for (int k = 0; k < HONE_MAP_RANK_MAX; k++)
            maps[i].step[k] = (uint32_t)(k + 1);
        hone_map_pack(&maps[i], 4096, bytes);
        assert_true(hone_map_unpack(bytes, &seen, &base));
        if (i) memcpy(seen.box, maps[i].box, sizeof seen.box); // it has none
        assert_memory_equal(&seen, &maps[i], sizeof seen);
        assert_int_equal(base, 4096);
    }
    // what no map may have is still none when it comes back
    maps[0].box[1] = 1 << 17;
    hone_map_pack(&maps[0], 4096, bytes);
    assert_true(hone_map_unpack(bytes, &seen, &base));
    char why[128];
    assert_false(hone_map_check(&seen, why, sizeof why));
}

static void modes_have_the_drivers_numbers(void **state)
{
    (void)state;
    assert_int_equal(hone_map_swizzle(0), 0);
    assert_int_equal(hone_map_swizzle(32), 1);
    assert_int_equal(hone_map_swizzle(128), 3);
    assert_int_equal(hone_map_swizzle(256), UINT32_MAX);
    assert_int_equal(hone_map_swizzle(48), UINT32_MAX);
    assert_int_equal(hone_map_interleave(16), 1);
    assert_int_equal(hone_map_interleave(32), 2);
    assert_int_equal(hone_map_promotion(256), 3);
    assert_int_equal(hone_map_promotion(32), UINT32_MAX);
    assert_int_equal(hone_map_type("f64"), 8);
    assert_int_equal(hone_map_type("i32"), 3);
    assert_int_equal(hone_map_type("e4m3"), 0);
}

static void the_driver_gets_the_recipe(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("cc=90", &module);
    _Alignas(HONE_MAP_ALIGNMENT) unsigned char bytes[HONE_MAP_BYTES];
    struct hone_tensor_map map = matrix();
    map.modes.promotion = 256;
    map.modes.nan_fill = 1;
    assert_ok(dev->fns->encode_tensor_map(dev, &map, 4096, bytes, &err), err);
    struct hone_tensor_map seen;
    uint64_t base;
    assert_true(hone_map_unpack(bytes, &seen, &base));
    assert_int_equal(base, 4096);
    assert_int_equal(seen.rank, 2);
    assert_int_equal(seen.type, 9);
    assert_int_equal(seen.size[0], 4096);
    assert_int_equal(seen.size[1], 100);
    assert_int_equal(seen.stride_bytes[1], 8192);
    assert_int_equal(seen.box[1], 128);
    assert_int_equal(seen.step[1], 1);
    assert_int_equal(seen.modes.swizzle, 128);
    assert_int_equal(seen.modes.promotion, 256);
    assert_int_equal(seen.modes.nan_fill, 1);
    assert_int_equal(dev->fns->encode_tensor_map(dev, &map, 4097, bytes, &err),
                     HONE_EDEVICE);
    assert_non_null(strstr(err.text, "cuTensorMapEncodeTiled failed"));
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void gpus_before_hopper_are_told_apart(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open("cc=80", &module);
    const struct hone_tensor_map map = matrix();
    unsigned char bytes[HONE_MAP_BYTES];
    assert_int_equal(dev->fns->encode_tensor_map(dev, &map, 4096, bytes, &err),
                     HONE_EUNSUPPORTED);
    assert_string_equal(err.text,
                        "cuda:0 is of compute capability 8.0, tensor maps need 9.0");
    dev->fns->unload(dev, module);
    hone_device_close(dev);
}

static void the_emulator_encodes_as_the_driver_does(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    struct hone_tensor_map map = matrix(), seen;
    unsigned char bytes[HONE_MAP_BYTES];
    uint64_t base;
    assert_ok(hone_device_open(&dev, "emu:h200", &err), err);
    assert_ok(dev->fns->encode_tensor_map(dev, &map, 4096, bytes, &err), err);
    assert_true(hone_map_unpack(bytes, &seen, &base));
    assert_int_equal(base, 4096);
    assert_int_equal(seen.size[1], 100);
    map.box[1] = 257;
    assert_int_equal(dev->fns->encode_tensor_map(dev, &map, 4096, bytes, &err),
                     HONE_EDEVICE);
    assert_string_equal(err.text, "a tensor map has a box of 257 in axis 2, from 1 to "
                                  "256 are allowed");
    hone_device_close(dev);
}

static void emulated_gpus_before_hopper_have_none(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    struct hone_buffers buffers;
    const struct hone_job_arg arg = {.name = "A",
                                     .kind = HONE_ARG_INPUT,
                                     .dtype = HONE_BF16,
                                     .count = 4096 * 100,
                                     .map = matrix()};
    const struct hone_job job = {.args = &arg, .arg_count = 1};
    assert_ok(hone_device_open(&dev, "emu:a100", &err), err);
    assert_int_equal(hone_buffers_init(&buffers, dev, &job, &err), HONE_EUNSUPPORTED);
    assert_string_equal(err.text,
                        "emu:a100 is of compute capability 8.0, tensor maps need 9.0");
    hone_device_close(dev);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_no_driver_takes_is_refused_with_its_limit),
    cmocka_unit_test(each_rule_of_the_encoder_is_told_with_its_limit),
    cmocka_unit_test(what_holds_for_some_types_and_places_is_told),
    cmocka_unit_test(what_is_packed_is_unpacked_as_it_was),
    cmocka_unit_test(modes_have_the_drivers_numbers),
    cmocka_unit_test(the_driver_gets_the_recipe),
    cmocka_unit_test(gpus_before_hopper_are_told_apart),
    cmocka_unit_test(the_emulator_encodes_as_the_driver_does),
    cmocka_unit_test(emulated_gpus_before_hopper_have_none),
};
HONE_TEST_MAIN(tests)
