/* What the suites of the builder share. */
#ifndef NVRTC_FRAME_H
#define NVRTC_FRAME_H

#include <pthread.h>
#include <string.h>

#include "cubin.h"
#include "hone/build.h"
#include "hone/rng.h"
#include "hone_test.h"

static const char *const copy_kernel =
    "extern \"C\" __global__ void __launch_bounds__(128) copy(float *out, const float "
    "*in)\n"
    "{\n"
    "    __shared__ float tile[256];\n"
    "    tile[threadIdx.x] = in[threadIdx.x];\n"
    "    __syncthreads();\n"
    "    out[threadIdx.x] = tile[127 - threadIdx.x];\n"
    "}\n";

// 100 live values in at most 32 registers.
static const char *const spilling_kernel =
    "extern \"C\" __global__ void __launch_bounds__(1024, 2) heavy(float *p, int n)\n"
    "{\n"
    "    float a[100];\n"
    "    #pragma unroll\n"
    "    for (int i = 0; i < 100; i++) a[i] = p[i * n + threadIdx.x];\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        #pragma unroll\n"
    "        for (int i = 0; i < 100; i++) a[i] = a[i] * a[(i * 7 + 3) % 100] + p[k];\n"
    "    }\n"
    "    #pragma unroll\n"
    "    for (int i = 0; i < 100; i++) p[i * n + threadIdx.x] = a[i];\n"
    "}\n";

static inline struct hone_builder *open_builder(const char *cache_folder, size_t threads)
{
    struct hone_builder *builder = NULL;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = cache_folder,
                                                 .threads = threads};
    enum hone_status status = hone_builder_new(&builder, &options, &err);
    if (status == HONE_ENODEVICE) SKIP("%s", err.text);
    if (status != HONE_OK) fail_msg("%s", err.text);
    return builder;
}

static inline struct hone_build_request request_of(const char *source, const char *entry,
                                                   const char *arch)
{
    return (struct hone_build_request){
        .source = source, .source_name = "test.cu", .entry = entry, .arch = arch};
}

static inline const struct hone_build *build_now(struct hone_builder *builder,
                                                 const struct hone_build_request *request)
{
    struct hone_error err = {0};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    return build;
}

static inline char *scratch(const char *name)
{
    char command[512], path[400];
    snprintf(path, sizeof path, "%s/scratch/%s", HONE_BINARY_DIR, name);
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
    return strdup(path);
}

#endif
