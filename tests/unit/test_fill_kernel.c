// The kernel that fills buffers, compiled by NVRTC and run by the emulator: the bits that
// the host computes, for every dtype and fill.
#include <stdlib.h>
#include <string.h>

#include "hone_test.h"

#include "element.h"
#include "evaluate/filler.h"

static struct hone_builder *builder;
static struct hone_device *dev;

// The emulator passes for a device that measures.
static void open_machine(void)
{
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    if (hone_builder_new(&builder, &options, &err) == HONE_ENODEVICE)
        SKIP("%s", err.text);
    assert_ok(hone_device_open(&dev, "emu:h200", &err), err);
    dev->clock = HONE_CLOCK_EVENT;
}

static void close_machine(void)
{
    hone_builder_free(builder);
    hone_device_close(dev);
}

// A few elements more than the least buffer that is filled on a device.
static void fill_and_compare(struct hone_filler *filler, struct hone_job_arg arg)
{
    struct hone_error err = {0};
    const size_t size = hone_dtype_size(arg.dtype);
    arg.name = "x";
    arg.count = HONE_FILLER_LEAST / size + 3;
    const size_t bytes = (size_t)arg.count * size;
    unsigned char *expected = malloc(bytes), *seen = malloc(bytes);
    hone_devptr data = 0;
    bool done = false;
    assert_true(expected && seen);
    assert_ok(dev->fns->alloc(dev, bytes, &data, &err), err);
    assert_ok(dev->fns->fill(dev, data, 0x5a, bytes, &err), err);
    assert_ok(hone_filler_fill(filler, data, &arg, 77, &done, &err), err);
    assert_true(done);
    assert_ok(dev->fns->copy(dev, HONE_TO_HOST, data, seen, bytes, &err), err);
    hone_element_fill(&arg, 77, 0, (size_t)arg.count, expected);
    if (memcmp(seen, expected, bytes) != 0)
        fail_msg("fill %d of %s differs", (int)arg.fill, hone_dtype_name(arg.dtype));
    dev->fns->free(dev, data);
    free(expected);
    free(seen);
}

static void fills_of(struct hone_filler *filler, enum hone_dtype dtype)
{
    static const unsigned char rows[24] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 250};
    const bool is_unsigned = hone_dtype_name(dtype)[0] == 'u';
    for (int fill = 0; fill < HONE_FILL_COUNT; fill++) {
        struct hone_job_arg arg = {.dtype = dtype, .fill = (enum hone_fill)fill};
        if (fill == HONE_FILL_NORMAL && !hone_dtype_is_float(dtype)) continue;
        if (fill == HONE_FILL_INTEGERS)
            arg.data = (struct hone_fill_data){.low = is_unsigned ? 2 : -3, .high = 9};
        if (fill == HONE_FILL_CONSTANT) arg.data.low = arg.data.high = 1.5;
        if (fill == HONE_FILL_CONSTANT && !hone_dtype_is_float(dtype))
            arg.data.low = arg.data.high = is_unsigned ? 200 : -100;
        if (fill == HONE_FILL_FILE)
            arg.data = (struct hone_fill_data){.bytes = rows, .size = sizeof rows};
        fill_and_compare(filler, arg);
    }
}

static void device_and_host_fill_alike_to_the_last_bit(void **state)
{
    (void)state;
    static const enum hone_dtype dtypes[] = {
#define DTYPE(name, text, bytes) HONE_##name,
        HONE_DTYPE_LIST(DTYPE)
#undef DTYPE
    };
    open_machine();
    struct hone_filler filler = {.device = dev};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        fills_of(&filler, dtypes[i]);
    hone_filler_fini(&filler);
    close_machine();
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(device_and_host_fill_alike_to_the_last_bit),
};
HONE_TEST_MAIN(tests)
