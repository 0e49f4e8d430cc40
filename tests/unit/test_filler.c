// Buffers to be timed, on the fake driver and a compiler that compiles nothing: who fills
// them, and with what.
#include <stdlib.h>

#include "hone_test.h"

#include "base/hash.h"
#include "base/log.h"
#include "element.h"
#include "evaluate/buffers.h"
#include "fake/fake_use.h"
#include "fill_threads.h"

static struct hone_builder *builder;
static struct hone_device *dev;

static void open_machine(void)
{
    struct hone_error err = {0};
    const struct hone_builder_options options = {.nvrtc_path = FAKE_NVRTC,
                                                 .cache_folder = ""};
    assert_int_equal(fake.configure("memory=4e9"), 0);
    assert_ok(hone_builder_new(&builder, &options, &err), err);
    assert_ok(hone_device_open(&dev, "cuda:0", &err), err);
}

static void close_machine(void)
{
    hone_builder_free(builder);
    hone_device_close(dev);
    assert_int_equal(fake.live(), 0);
}

enum { MILLION = 1000000, SMALL = 100 };

static const uint16_t three[] = {7, 8, 9};

static struct hone_job_arg args[] = {
    {.name = "q",
     .kind = HONE_ARG_INPUT,
     .dtype = HONE_BF16,
     .count = 20 * MILLION,
     .fill = HONE_FILL_NORMAL},
    {.name = "x", .kind = HONE_ARG_INOUT, .dtype = HONE_E4M3, .count = 21 * MILLION + 5},
    {.name = "rows",
     .kind = HONE_ARG_INPUT,
     .dtype = HONE_U16,
     .count = 22 * MILLION,
     .fill = HONE_FILL_FILE,
     .data = {.bytes = three, .size = sizeof three}},
    {.name = "few", .kind = HONE_ARG_INPUT, .dtype = HONE_F32, .count = SMALL},
    {.name = "y", .kind = HONE_ARG_OUTPUT, .dtype = HONE_F32, .count = 23 * MILLION},
};
static const struct hone_job job = {.args = args,
                                    .arg_count = sizeof args / sizeof *args};

// A hash for each buffer.
static void hashes_of(struct hone_filler *filler, uint64_t *hashes)
{
    struct hone_error err = {0};
    struct hone_buffers buffers;
    assert_ok(hone_buffers_init(&buffers, dev, &job, &err), err);
    buffers.filler = filler;
    assert_ok(hone_buffers_randomise(&buffers, &job, NULL, 5, &err), err);
    for (size_t i = 0; i < job.arg_count; i++) {
        const struct hone_buffer *buffer = &buffers.items[i];
        unsigned char *bytes = malloc(buffer->bytes);
        assert_non_null(bytes);
        assert_ok(
            dev->fns->copy(dev, HONE_TO_HOST, buffer->data, bytes, buffer->bytes, &err),
            err);
        hashes[i] = hone_hash64(bytes, buffer->bytes);
        free(bytes);
    }
    hone_buffers_fini(&buffers);
}

static void large_buffers_are_filled_where_they_lie(void **state)
{
    (void)state;
    uint64_t by_host[8], by_device[8];
    open_machine();
    hashes_of(NULL, by_host);
    const size_t whole = fake.copied();
    assert_true(whole > 100 * MILLION);
    struct hone_filler filler = {.device = dev};
    hashes_of(&filler, by_device);
    assert_int_equal(fake.copied() - whole, sizeof three + SMALL * sizeof(float));
    for (size_t i = 0; i < job.arg_count; i++)
        assert_int_equal(by_device[i], by_host[i]);
    hone_filler_fini(&filler);
    close_machine();
}

static char last_line[512];

static void keep_line(void *context, enum hone_log_level level, const char *line)
{
    (void)context, (void)level;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static enum hone_status refuse(struct hone_device *device, const struct hone_build *build,
                               const char *entry, struct hone_module **out,
                               struct hone_fault *fault, struct hone_error *err)
{
    (void)device, (void)build, (void)entry, (void)err;
    *out = NULL;
    *fault = (struct hone_fault){.outcome = HONE_LAUNCH_FAILED, .reason = "bad image"};
    return HONE_OK;
}

static void the_host_fills_where_the_kernel_cannot_be_had(void **state)
{
    (void)state;
    uint64_t by_host[8], by_device[8];
    open_machine();
    hashes_of(NULL, by_host);
    const struct hone_device_fns *real = dev->fns;
    struct hone_device_fns refusing = *real;
    refusing.load = refuse;
    dev->fns = &refusing;
    hone_log_set(keep_line, NULL);
    struct hone_filler filler = {.device = dev};
    hashes_of(&filler, by_device);
    hone_log_set(NULL, NULL);
    dev->fns = real;
    assert_non_null(strstr(last_line, "buffers are filled by the host: bad image"));
    assert_true(filler.given_up);
    for (size_t i = 0; i < job.arg_count; i++)
        assert_int_equal(by_device[i], by_host[i]);
    hone_filler_fini(&filler);
    close_machine();
}

static void without_a_compiler_the_host_fills(void **state)
{
    (void)state;
    uint64_t by_host[8], by_device[8];
    open_machine();
    hashes_of(NULL, by_host);
    setenv("HONE_NVRTC", "/nowhere/libnvrtc.so", 1);
    hone_log_set(keep_line, NULL);
    struct hone_filler filler = {.device = dev};
    hashes_of(&filler, by_device);
    hone_log_set(NULL, NULL);
    setenv("HONE_NVRTC", FAKE_NVRTC, 1);
    assert_non_null(strstr(last_line, "filled by the host: cannot open"));
    assert_true(filler.given_up);
    for (size_t i = 0; i < job.arg_count; i++)
        assert_int_equal(by_device[i], by_host[i]);
    hone_filler_fini(&filler);
    close_machine();
}

static void many_threads_fill_as_one_does(void **state)
{
    (void)state;
    enum { COUNT = 1000003 };
    static uint16_t one[COUNT], many[COUNT];
    const struct hone_job_arg arg = {.dtype = HONE_BF16, .fill = HONE_FILL_NORMAL};
    hone_element_fill(&arg, 9, 17, COUNT, one);
    hone_fill_by_threads(&arg, 9, 17, COUNT, many);
    assert_memory_equal(one, many, sizeof one);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(large_buffers_are_filled_where_they_lie),
    cmocka_unit_test(without_a_compiler_the_host_fills),
    cmocka_unit_test(the_host_fills_where_the_kernel_cannot_be_had),
    cmocka_unit_test(many_threads_fill_as_one_does),
};
HONE_TEST_MAIN(tests)
