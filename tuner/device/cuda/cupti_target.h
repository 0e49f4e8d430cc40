/* The part of CUPTI that counts on a GPU: ranges of launches, replayed pass by pass.
 * Declared here as cupti_range_profiler.h, cupti_profiler_target.h and cupti_target.h of
 * CUDA 12.6 and later have it, as in cupti_host.h. */
#ifndef HONE_DEVICE_CUPTI_TARGET_H
#define HONE_DEVICE_CUPTI_TARGET_H

#include <cuda.h>

#include "cupti_host.h"

struct hone_cupti_profiler; /* of a context */

struct hone_cupti_nothing { /* of initialize and deinitialize */
    size_t size;
    void *priv;
};

struct hone_cupti_chip {
    size_t size;
    void *priv;
    size_t device;
    const char *name; /* out */
};

struct hone_cupti_supported {
    size_t size;
    void *priv;
    CUdevice device;
    int all; /* out, as what follows: 1 unsupported, 2 switched off, 3 supported */
    int architecture, sli, vgpu, confidential, mining, wsl;
    int profiler; /* in, 0: by ranges */
};

struct hone_cupti_availability {
    size_t size;
    void *priv;
    CUcontext context;
    size_t bytes; /* out where image is NULL */
    uint8_t *image;
};

struct hone_cupti_enable {
    size_t size;
    void *priv;
    CUcontext context;
    struct hone_cupti_profiler *profiler; /* out */
};

struct hone_cupti_data_size {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    const char **names;
    size_t count;
    size_t ranges;
    uint32_t nodes;
    size_t bytes; /* out */
};

struct hone_cupti_data {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    size_t bytes;
    uint8_t *image;
};

struct hone_cupti_config {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    size_t config_bytes;
    const uint8_t *config;
    size_t data_bytes;
    uint8_t *data;
    int range, replay; /* HONE_CUPTI_USER_... */
    size_t ranges;
    uint16_t levels, least_level;
    size_t pass;
    uint16_t level;
};

enum { HONE_CUPTI_USER_RANGE = 2, HONE_CUPTI_USER_REPLAY = 3 };

/* What calls get that need no more: start, pop, disable. */
struct hone_cupti_step {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
};

struct hone_cupti_push {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    const char *name;
};

struct hone_cupti_stop {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    size_t pass, level; /* out: of the next one */
    uint8_t all;        /* out: no pass is left */
};

struct hone_cupti_decode {
    size_t size;
    void *priv;
    struct hone_cupti_profiler *profiler;
    size_t dropped; /* out: ranges that found no room */
};

struct hone_cupti_evaluate {
    size_t size;
    void *priv;
    struct hone_cupti_host_object *object;
    const uint8_t *data;
    size_t bytes;
    size_t range;
    const char **names;
    size_t count;
    double *values; /* out */
};

/* clang-format off */
#define HONE_CUPTI_TARGET_LIST(X)                                                        \
    X(initialize,   hone_cupti_nothing,      "cuptiProfilerInitialize")                  \
    X(deinitialize, hone_cupti_nothing,      "cuptiProfilerDeInitialize")                \
    X(supported,    hone_cupti_supported,    "cuptiProfilerDeviceSupported")             \
    X(chip,         hone_cupti_chip,         "cuptiDeviceGetChipName")                   \
    X(availability, hone_cupti_availability, "cuptiProfilerGetCounterAvailability")      \
    X(enable,       hone_cupti_enable,       "cuptiRangeProfilerEnable")                 \
    X(disable,      hone_cupti_step,         "cuptiRangeProfilerDisable")                \
    X(data_size,    hone_cupti_data_size,    "cuptiRangeProfilerGetCounterDataSize")     \
    X(data,         hone_cupti_data, "cuptiRangeProfilerCounterDataImageInitialize")     \
    X(config,       hone_cupti_config,       "cuptiRangeProfilerSetConfig")              \
    X(start,        hone_cupti_step,         "cuptiRangeProfilerStart")                  \
    X(push,         hone_cupti_push,         "cuptiRangeProfilerPushRange")              \
    X(pop,          hone_cupti_step,         "cuptiRangeProfilerPopRange")               \
    X(stop,         hone_cupti_stop,         "cuptiRangeProfilerStop")                   \
    X(decode,       hone_cupti_decode,       "cuptiRangeProfilerDecodeData")             \
    X(evaluate,     hone_cupti_evaluate,     "cuptiProfilerHostEvaluateToGpuValues")
/* clang-format on */

/* Each returns 0 or CUPTI's error. */
struct hone_cupti_target {
#define HONE_CUPTI_TARGET_FIELD(call, params, name) int (*call)(struct params *);
    HONE_CUPTI_TARGET_LIST(HONE_CUPTI_TARGET_FIELD)
#undef HONE_CUPTI_TARGET_FIELD
};

/* Open it, once a process; borrowed. ENODEVICE with the reason. CUPTI calls into the
 * driver, which must be one that it can be used with (hone_cuda_driver_profilable). */
enum hone_status hone_cupti_target_open(const struct hone_cupti_target **out,
                                        struct hone_error *err);

#endif
