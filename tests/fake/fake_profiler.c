// The part of the fake libcupti that plans and counts, by NVIDIA's own headers. It holds
// its callers to the order that CUPTI's guide demands: who breaks it ends with a message.
#if __has_include(<cupti_range_profiler.h>)

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))
#define MUST(condition)                                                                  \
    do {                                                                                 \
        if (!(condition)) misused(__func__, #condition);                                 \
    } while (0)

enum { FREE = 0x46524545, PLAN = 0x504c414e, EMPTY = 0x454d5054, FULL = 0x46554c4c };

struct config_image { // what the host makes and the target takes
    uint32_t magic, names;
    uint64_t passes;
};

struct data_image {
    uint32_t magic;
    uint32_t pad;
    double blocks, ns;
};

struct CUpti_Profiler_Host_Object {
    bool taken; // by somebody else: DRAM's counters
    size_t names;
};

struct CUpti_RangeProfiler_Object {
    bool configured, started, pushed, submitted;
    uint64_t pass, passes;
    size_t launches; // in this range
    struct data_image *data;
    double blocks, ns;
};

static struct CUpti_RangeProfiler_Object profiler;
static struct {
    bool initialized, enabled;
    size_t calls; // since it was initialized
    fake_cuda_whole *whole;
    fake_cuda_on_kernel *on_kernel;
} counts;

static void misused(const char *call, const char *what)
{
    fprintf(stderr, "fake_cupti: %s: %s does not hold\n", call, what);
    abort();
}

// A function of the fake driver, which the process has opened already.
static void find_in_driver(const char *name, void *slot)
{
    const char *path = getenv("HONE_LIBCUDA");
    void *driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    CUresult (*get)(const char *, void **, int, uint64_t, void *);
    if (!driver) return;
    void *symbol = dlsym(driver, "cuGetProcAddress_v2");
    memcpy(&get, &symbol, sizeof get);
    if (get(name, &symbol, 0, 0, NULL) == CUDA_SUCCESS)
        memcpy(slot, &symbol, sizeof symbol);
    dlclose(driver);
}

static long setting(const char *key)
{
    if (!counts.whole) find_in_driver("fake_cuda_whole", &counts.whole);
    return counts.whole ? counts.whole(key) : 0;
}

// The call that is to fail, by its number.
static CUptiResult next_call(void)
{
    const bool fails = (long)++counts.calls == setting("count_call");
    return fails ? (CUptiResult)setting("count_code") : CUPTI_SUCCESS;
}

static void count_launch(const char *kernel, const struct fake_cuda_launch *launch,
                         uint64_t start, uint64_t end)
{
    (void)kernel;
    profiler.launches++;
    profiler.blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
    profiler.ns = (double)(end - start);
    if (setting("count_dies") && (long)profiler.pass + 1 == setting("count_dies"))
        _exit(9);
}

// --- the host's part, without a GPU ---

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    MUST(p->profilerType == CUPTI_PROFILER_TYPE_RANGE_PROFILER);
    uint32_t magic = FREE;
    if (p->pCounterAvailabilityImage)
        memcpy(&magic, p->pCounterAvailabilityImage, sizeof magic);
    MUST(magic == FREE);
    if (strlen(p->pChipName) != 5) return CUPTI_ERROR_INVALID_CHIP_NAME;
    p->pHostObject = calloc(1, sizeof *p->pHostObject);
    if (!p->pHostObject) return CUPTI_ERROR_OUT_OF_MEMORY;
    p->pHostObject->taken = p->pCounterAvailabilityImage && setting("count_taken") > 0;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
    MUST(p->pHostObject);
    free(p->pHostObject);
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE);
    const bool taken = p->pHostObject->taken && strstr(p->pMetricName, "dram");
    return taken || strstr(p->pMetricName, "subpipe") ? CUPTI_ERROR_INVALID_METRIC_NAME
                                                      : CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    p->pHostObject->names += p->numMetrics;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    p->configImageSize = sizeof(struct config_image);
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p)
{
    const size_t names = p->pHostObject->names;
    const struct config_image image = {PLAN, (uint32_t)names, (names + 7) / 8};
    MUST(p->structSize == CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    MUST(p->configImageSize == sizeof image);
    memcpy(p->pConfigImage, &image, sizeof image);
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
    struct config_image image;
    MUST(p->structSize == CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    memcpy(&image, p->pConfigImage, sizeof image);
    MUST(image.magic == PLAN);
    p->numOfPasses = image.passes;
    return CUPTI_SUCCESS;
}

// By name: blocks and time of the launch, else a figure of its own.
static double value_of(const struct data_image *data, const char *name)
{
    unsigned sum = 0;
    if (strcmp(name, "sm__ctas_launched.sum") == 0) return data->blocks;
    if (strcmp(name, "gpu__time_duration.sum") == 0) return data->ns;
    for (const char *c = name; *c; c++)
        sum = sum * 31 + (unsigned char)*c;
    return sum % 997 + 1;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
    struct data_image data;
    const CUptiResult result = next_call();
    const long nan_every = setting("count_nan");
    MUST(p->structSize == CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    MUST(p->pHostObject && p->rangeIndex == 0);
    MUST(p->counterDataImageSize == sizeof data);
    MUST(p->numMetrics == p->pHostObject->names);
    if (result) return result;
    memcpy(&data, p->pCounterDataImage, sizeof data);
    MUST(data.magic == FULL);
    for (size_t i = 0; i < p->numMetrics; i++)
        p->pMetricValues[i] = nan_every > 0 && i % (size_t)nan_every == 0
                                  ? (double)NAN
                                  : value_of(&data, p->ppMetricNames[i]);
    return CUPTI_SUCCESS;
}

// --- the GPU's part ---

EXPORT CUptiResult CUPTIAPI cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    MUST(!counts.initialized);
    counts.calls = 0;
    const CUptiResult result = next_call();
    counts.initialized = result == CUPTI_SUCCESS;
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *p)
{
    MUST(p->structSize == CUpti_Profiler_DeInitialize_Params_STRUCT_SIZE);
    MUST(counts.initialized && !counts.enabled);
    counts.initialized = false;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *p)
{
    const CUptiResult result = next_call();
    const bool virtual = setting("count_vgpu") > 0;
    MUST(p->structSize == CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
    MUST(counts.initialized && p->api == CUPTI_PROFILER_RANGE_PROFILING);
    p->architecture = p->sli = p->confidentialCompute = p->cmp = p->wsl =
        CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    p->vGpu = virtual ? CUPTI_PROFILER_CONFIGURATION_DISABLED
                      : CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    p->isSupported = virtual ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED
                             : CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    return result;
}

EXPORT CUptiResult CUPTIAPI cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    p->pChipName = setting("cc") == 80 ? "GA100" : "GH100";
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p)
{
    const uint32_t magic = FREE;
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
    MUST(p->ctx && counts.initialized && !counts.enabled);
    if (result) return result;
    if (p->pCounterAvailabilityImage)
        memcpy(p->pCounterAvailabilityImage, &magic, sizeof magic);
    p->counterAvailabilityImageSize = sizeof magic;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    MUST(p->ctx && counts.initialized && !counts.enabled);
    if (result) return result;
    find_in_driver("fake_cuda_on_kernel", &counts.on_kernel);
    profiler = (struct CUpti_RangeProfiler_Object){0};
    counts.enabled = true;
    p->pRangeProfilerObject = &profiler;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *p)
{
    MUST(p->structSize == CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    MUST(p->pRangeProfilerObject == &profiler && counts.enabled);
    counts.enabled = false;
    counts.on_kernel(NULL);
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    MUST(p->pRangeProfilerObject == &profiler && counts.enabled);
    MUST(p->numMetrics && p->maxNumOfRanges == 1 && p->maxNumRangeTreeNodes >= 1);
    p->counterDataSize = sizeof(struct data_image);
    return result;
}

EXPORT CUptiResult CUPTIAPI cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p)
{
    const struct data_image empty = {.magic = EMPTY};
    const CUptiResult result = next_call();
    MUST(p->structSize ==
         CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    MUST(p->counterDataSize == sizeof empty);
    memcpy(p->pCounterData, &empty, sizeof empty);
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p)
{
    struct config_image config;
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    MUST(p->pRangeProfilerObject == &profiler && p->configSize == sizeof config);
    MUST(p->range == CUPTI_UserRange && p->replayMode == CUPTI_UserReplay);
    MUST(p->maxRangesPerPass == 1 && p->numNestingLevels == 1);
    MUST(p->minNestingLevel == 1 && p->targetNestingLevel == 1 && p->passIndex == 0);
    memcpy(&config, p->pConfig, sizeof config);
    profiler.data = (struct data_image *)(void *)p->pCounterDataImage;
    MUST(config.magic == PLAN && profiler.data->magic == EMPTY);
    const long passes = setting("count_passes");
    profiler.passes = passes > 0 ? (uint64_t)passes : config.passes;
    profiler.configured = true;
    return result;
}

EXPORT CUptiResult CUPTIAPI cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
    MUST(profiler.configured && !profiler.started && !profiler.submitted);
    profiler.started = true;
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE);
    MUST(profiler.started && !profiler.pushed && p->pRangeName && *p->pRangeName);
    profiler.pushed = true;
    profiler.launches = 0;
    counts.on_kernel(count_launch);
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE);
    MUST(profiler.pushed && profiler.launches == 1);
    profiler.pushed = false;
    counts.on_kernel(NULL);
    return result;
}

EXPORT CUptiResult CUPTIAPI cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    MUST(profiler.started && !profiler.pushed);
    profiler.started = false;
    profiler.submitted = ++profiler.pass >= profiler.passes;
    p->passIndex = profiler.pass;
    p->targetNestingLevel = 1;
    p->isAllPassSubmitted = profiler.submitted;
    return result;
}

EXPORT CUptiResult CUPTIAPI
cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *p)
{
    const CUptiResult result = next_call();
    MUST(p->structSize == CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    MUST(profiler.submitted && !profiler.started);
    profiler.data->magic = FULL;
    profiler.data->blocks = profiler.blocks;
    profiler.data->ns = profiler.ns;
    p->numOfRangeDropped = (size_t)setting("count_dropped");
    return result;
}

#endif
