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
    struct fake_map seen;
    memcpy(&seen, bytes, sizeof seen);
    assert_int_equal(seen.base, 4096);
    assert_int_equal(seen.rank, 2);
    assert_int_equal(seen.type, 9);
    assert_int_equal(seen.size[0], 4096);
    assert_int_equal(seen.size[1], 100);
    assert_int_equal(seen.stride[0], 8192);
    assert_int_equal(seen.box[1], 128);
    const uint8_t modes[] = {0, 3, 3, 1};
    assert_memory_equal(seen.modes, modes, sizeof modes);
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

static void the_emulator_says_that_it_has_none(void **state)
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
    assert_ok(hone_device_open(&dev, "emu:h200", &err), err);
    assert_int_equal(hone_buffers_init(&buffers, dev, &job, &err), HONE_EUNSUPPORTED);
    assert_string_equal(err.text,
                        "argument 'A' is passed as a tensor map, which emu:h200 has not");
    hone_device_close(dev);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_no_driver_takes_is_refused_with_its_limit),
    cmocka_unit_test(modes_have_the_drivers_numbers),
    cmocka_unit_test(the_driver_gets_the_recipe),
    cmocka_unit_test(gpus_before_hopper_are_told_apart),
    cmocka_unit_test(the_emulator_says_that_it_has_none),
};
HONE_TEST_MAIN(tests)
