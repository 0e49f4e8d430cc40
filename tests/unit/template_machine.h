/* A builder and an emulated H200 on which tests run shipped templates themselves. */
#ifndef HONE_TEST_TEMPLATE_MACHINE_H
#define HONE_TEST_TEMPLATE_MACHINE_H

#include "hone/build.h"
#include "hone/device.h"
#include "hone/rng.h"
#include "template_source.h"

static struct hone_builder *builder;
static struct hone_device *device;

static inline int open_machine(void **state)
{
    (void)state;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    if (hone_builder_new(&builder, &options, &err) == HONE_OK)
        hone_device_open(&device, "emu:h200", &err);
    if (!device) printf("skipped: %s\n", err.text);
    return 0;
}

static inline int close_machine(void **state)
{
    (void)state;
    if (device) hone_device_close(device);
    hone_builder_free(builder);
    return 0;
}

static inline void need_machine(void)
{
    if (!builder || !device) SKIP("no NVRTC or no emulator");
}

// "BM 128, BN 64" for the names and values, until the next call.
static inline const char *print_parameters(const char *const *names, const int *values,
                                           size_t count)
{
    static char text[400];
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %d",
                                   i ? ", " : "", names[i], values[i]);
    assert_true(length < sizeof text);
    return text;
}

// parameters: like "BM 128, BN 64"
static inline const struct hone_build *build_template(const char *name, const char *entry,
                                                      const char *parameters)
{
    char *source = read_template(name, parameters);
    struct hone_error err = {0};
    const struct hone_build_request request = {.source = source,
                                               .source_name = name,
                                               .entry = entry,
                                               .arch = device->limits.arch};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    if (build->outcome != HONE_VALID) fail_msg("%s", build->reason);
    free(source);
    return build;
}

static inline void launch(const struct hone_build *build, const char *entry,
                          const struct hone_launch *launch)
{
    struct hone_error err = {0};
    struct hone_fault fault = {0};
    struct hone_module *module = NULL;
    assert_ok(device->fns->load(device, build, entry, &module, &fault, &err), err);
    if (fault.outcome != HONE_VALID) fail_msg("load: %s", fault.reason);
    assert_ok(device->fns->launch(device, module, launch, &fault, &err), err);
    if (fault.outcome != HONE_VALID) fail_msg("launch: %s", fault.reason);
    device->fns->unload(device, module);
}

static inline hone_devptr to_device(void *data, size_t bytes)
{
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    assert_ok(device->fns->alloc(device, bytes, &ptr, &err), err);
    assert_ok(device->fns->copy(device, HONE_TO_DEVICE, ptr, data, bytes, &err), err);
    return ptr;
}

// Frees the buffer.
static inline void from_device(void *data, hone_devptr ptr, size_t bytes)
{
    struct hone_error err = {0};
    assert_ok(device->fns->copy(device, HONE_TO_HOST, ptr, data, bytes, &err), err);
    device->fns->free(device, ptr);
}

static inline float *random_floats(struct hone_rng *rng, size_t count)
{
    float *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)(2.0 * hone_rng_double(rng) - 1.0);
    return data;
}

static inline uint32_t ceil_div(int a, int b)
{
    return (uint32_t)((a + b - 1) / b);
}

#endif
