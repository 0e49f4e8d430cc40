/* What the tests on a GPU share: cuda:0, and a kernel of kernels.cu built for it. A case
 * is skipped where there is no GPU, and fails where there is a GPU and no NVRTC. */
#ifndef GPU_KIT_H
#define GPU_KIT_H

#include <string.h>

#include "hone/build.h"
#include "hone/device.h"
#include "hone_test.h"

extern const unsigned char gpu_kernels_source[];

struct gpu {
    struct hone_device *dev;
    struct hone_builder *builder;
};

/* A kernel with its arguments, ready to launch. */
struct gpu_kernel {
    const struct hone_build *build;
    struct hone_module *module;
    struct hone_launch launch;
    const void *params[4];
    size_t sizes[4];
};

static inline struct hone_device *gpu_open_device(enum hone_clock clock)
{
    struct hone_device *dev = NULL;
    struct hone_error err = {0};
    enum hone_status status = hone_device_open_by(&dev, "cuda:0", clock, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    if (status != HONE_OK) fail_msg("%s", err.text);
    return dev;
}

static inline struct gpu gpu_open_by(enum hone_clock clock)
{
    struct gpu gpu = {.dev = gpu_open_device(clock)};
    struct hone_error err = {0};
    const struct hone_builder_options options = {.threads = 1};
    enum hone_status status = hone_builder_new(&gpu.builder, &options, &err);
    if (status != HONE_OK) fail_msg("%s", err.text);
    return gpu;
}

static inline struct gpu gpu_open(void)
{
    return gpu_open_by(HONE_CLOCK_NONE);
}

static inline void gpu_close(struct gpu *gpu)
{
    hone_builder_free(gpu->builder);
    hone_device_close(gpu->dev);
}

static inline struct gpu_kernel gpu_load(struct gpu *gpu, const char *entry)
{
    struct gpu_kernel k = {.launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
    const struct hone_build_request request = {.source = (const char *)gpu_kernels_source,
                                               .source_name = "kernels.cu",
                                               .entry = entry,
                                               .arch = gpu->dev->limits.arch};
    struct hone_error err = {0};
    struct hone_fault fault;
    uint64_t ticket = 0;
    assert_ok(hone_builder_submit(gpu->builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(gpu->builder, ticket, &k.build, &err), err);
    if (k.build->outcome != HONE_VALID) fail_msg("%s: %s", entry, k.build->reason);
    assert_ok(gpu->dev->fns->load(gpu->dev, k.build, entry, &k.module, &fault, &err),
              err);
    if (fault.outcome != HONE_VALID) fail_msg("%s: %s", entry, fault.reason);
    return k;
}

/* The value is borrowed until the launch. */
static inline void gpu_argument(struct gpu_kernel *k, const void *value, size_t size)
{
    k->params[k->launch.param_count] = value;
    k->sizes[k->launch.param_count++] = size;
}

static inline void gpu_shape(struct gpu_kernel *k, uint32_t grid, uint32_t block,
                             uint32_t shared_bytes)
{
    k->launch.grid[0] = grid;
    k->launch.block[0] = block;
    k->launch.shared_bytes = shared_bytes;
}

static inline struct hone_fault gpu_launch(struct gpu *gpu, struct gpu_kernel *k)
{
    struct hone_fault fault;
    struct hone_error err = {0};
    k->launch.params = k->params;
    k->launch.param_sizes = k->sizes;
    assert_ok(gpu->dev->fns->launch(gpu->dev, k->module, &k->launch, &fault, &err), err);
    return fault;
}

static inline struct hone_timing gpu_time(struct gpu *gpu, struct gpu_kernel *k,
                                          const struct hone_time_policy *policy)
{
    struct hone_timing timing;
    struct hone_fault fault;
    struct hone_error err = {0};
    k->launch.params = k->params;
    k->launch.param_sizes = k->sizes;
    assert_ok(gpu->dev->fns->time(gpu->dev, k->module, &k->launch, policy, &timing,
                                  &fault, &err),
              err);
    if (fault.outcome != HONE_VALID) fail_msg("%s", fault.reason);
    return timing;
}

static inline void gpu_unload(struct gpu *gpu, struct gpu_kernel *k)
{
    gpu->dev->fns->unload(gpu->dev, k->module);
    hone_build_release(k->build);
}

static inline hone_devptr gpu_alloc(struct gpu *gpu, size_t bytes)
{
    hone_devptr ptr = 0;
    struct hone_error err = {0};
    assert_ok(gpu->dev->fns->alloc(gpu->dev, bytes, &ptr, &err), err);
    return ptr;
}

#endif
