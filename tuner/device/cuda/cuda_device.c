// cuda:N over the primary context: modules, memory and single launches with a deadline. A
// launch never blocks in the driver: data-centre GPUs have no watchdog, so the stream is
// polled.
#include "cuda_device.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/quantity.h"
#include "cuda_internal.h"
#include "cuda_limits.h"
#include "cuda_result.h"

static void become_lost(struct hone_cuda *cuda, const char *reason)
{
    if (cuda->lost) return;
    cuda->lost = true;
    snprintf(cuda->lost_reason, sizeof cuda->lost_reason, "%s", reason);
}

enum hone_status hone_cuda_broken(struct hone_device *dev, const char *call,
                                  CUresult result, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    char text[HONE_REASON_MAX];
    hone_cuda_text(text, sizeof text, cuda->driver, result);
    if (hone_cuda_is_sticky(result)) become_lost(cuda, text);
    return hone_fail(err, HONE_EDEVICE, "%s: %s failed: %s", dev->id, call, text);
}

enum hone_status hone_cuda_enter(struct hone_device *dev, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    if (cuda->lost)
        return hone_fail(err, HONE_EDEVICE, "%s is lost after: %s", dev->id,
                         cuda->lost_reason);
    CUresult result = cuda->driver->cuCtxSetCurrent(cuda->context);
    if (result == CUDA_SUCCESS) return HONE_OK;
    return hone_cuda_broken(dev, "cuCtxSetCurrent", result, err);
}

void hone_cuda_set_fault(struct hone_cuda *cuda, struct hone_fault *fault,
                         CUresult result, const struct hone_launch *launch)
{
    if (result == CUDA_ERROR_NOT_READY) {
        *fault = (struct hone_fault){
            .outcome = HONE_TIMED_OUT, .finding = HONE_FINDING_TIMEOUT, .sticky = true};
        snprintf(fault->reason, sizeof fault->reason,
                 "still running after %s s, the deadline of a launch",
                 hone_plain(launch ? hone_cuda_deadline(launch) : 0, 3).text);
        cuda->hung = true;
    } else {
        hone_cuda_fault(fault, cuda->driver, result);
    }
    if (fault->sticky) become_lost(cuda, fault->reason);
}

// "580.95.05, CUDA 13.0": the driver's version where it is told, and its API.
static void describe_driver(char *out, size_t cap, int api)
{
    char version[16] = "";
    const bool known = hone_nvml_driver(version, sizeof version);
    snprintf(out, cap, "%s%sCUDA %u.%u", version, known ? ", " : "",
             (unsigned)api / 1000 % 100, (unsigned)api % 1000 / 10);
}

// Timing goes on without readings where NVML is missing or shuts the door.
static void open_nvml(struct hone_device *dev)
{
    struct hone_cuda *cuda = dev->priv;
    char address[32];
    struct hone_error why = {0};
    CUresult result =
        cuda->driver->cuDeviceGetPCIBusId(address, sizeof address, cuda->device);
    if (result != CUDA_SUCCESS || hone_nvml_open(&cuda->nvml, address, &why) != HONE_OK) {
        hone_log(HONE_LOG_INFO, "%s: no NVML, clocks and temperature are not recorded",
                 dev->id);
        hone_log(HONE_LOG_DEBUG, "%s", why.text);
        return;
    }
    double joules;
    cuda->held = hone_nvml_held(&cuda->nvml);
    dev->counts_energy = hone_nvml_energy(&cuda->nvml, &joules);
    const unsigned strangers = hone_nvml_strangers(&cuda->nvml);
    if (strangers)
        hone_log(HONE_LOG_WARNING, "%s is shared: %u other processes compute on it",
                 dev->id, strangers);
}

static CUresult make_context(struct hone_cuda *cuda)
{
    const struct hone_cuda_driver *driver = cuda->driver;
    CUresult result = driver->cuDevicePrimaryCtxRetain(&cuda->context, cuda->device);
    if (result == CUDA_SUCCESS) result = driver->cuCtxSetCurrent(cuda->context);
    if (result == CUDA_SUCCESS)
        result = driver->cuStreamCreate(&cuda->stream, CU_STREAM_DEFAULT);
    for (size_t i = 0; i < 2 * HONE_CUDA_BATCH && result == CUDA_SUCCESS; i++)
        result = driver->cuEventCreate(&cuda->events[i], CU_EVENT_DEFAULT);
    return result;
}

// No part of L2 is set aside for lines that kernels keep, until one asks for it: launches
// would find there what earlier ones left. GPUs before compute capability 8.0 have none,
// and refuse.
static void keep_no_lines(struct hone_cuda *cuda)
{
    cuda->driver->cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
}

static enum hone_status cuda_set_aside(struct hone_device *dev, uint64_t bytes,
                                       struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    int most = 0;
    cuda->driver->cuCtxSetCurrent(cuda->context);
    CUresult result = cuda->driver->cuDeviceGetAttribute(
        &most, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE, cuda->device);
    if (result != CUDA_SUCCESS) most = 0;
    if (bytes > (uint64_t)most)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "%s can set aside %d bytes of L2, l2_set_aside of the kernel "
                         "asks for %llu: ask for less, or leave it out",
                         dev->id, most, (unsigned long long)bytes);
    result =
        cuda->driver->cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, (size_t)bytes);
    if (result == CUDA_SUCCESS || !bytes) return HONE_OK;
    return hone_cuda_broken(dev, "setting L2 aside", result, err);
}

static void cuda_close(struct hone_device *dev)
{
    struct hone_cuda *cuda = dev->priv;
    hone_cuda_own_fini(dev);
    if (!cuda->context || cuda->hung) return;
    const struct hone_cuda_driver *driver = cuda->driver;
    driver->cuCtxSetCurrent(cuda->context);
    if (cuda->flush) driver->cuMemFree(cuda->flush);
    if (cuda->copies) driver->cuMemFree(cuda->copies);
    for (size_t i = 0; i < 2 * HONE_CUDA_BATCH; i++)
        if (cuda->events[i]) driver->cuEventDestroy(cuda->events[i]);
    if (cuda->stream) driver->cuStreamDestroy(cuda->stream);
    driver->cuCtxSetCurrent(NULL);
    driver->cuDevicePrimaryCtxRelease(cuda->device);
}

static enum hone_status cuda_open(struct hone_device *dev, const char *spec,
                                  struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cuda_check_spec(spec, err);
    if (status != HONE_OK) return status;
    cuda->driver = hone_cuda_driver_get(err);
    if (!cuda->driver) return HONE_ENODEVICE;
    status = hone_cuda_find(&cuda->device, cuda->driver, spec, err);
    if (status == HONE_OK)
        status = hone_cuda_read_limits(&dev->limits, cuda->driver, cuda->device, err);
    if (status == HONE_OK)
        status = hone_cuda_read_uuid(dev->uuid, cuda->driver, cuda->device, err);
    if (status != HONE_OK) return status;
    snprintf(dev->id, sizeof dev->id, "cuda:%d", (int)cuda->device);
    dev->cuda_version = cuda->driver->version;
    CUresult result = make_context(cuda);
    if (result == CUDA_SUCCESS) keep_no_lines(cuda);
    status = result == CUDA_SUCCESS
                 ? hone_cuda_choose_clock(dev, err)
                 : hone_cuda_broken(dev, "making a context", result, err);
    if (status == HONE_OK)
        open_nvml(dev);
    else
        cuda_close(dev);
    describe_driver(dev->driver, sizeof dev->driver, cuda->driver->version);
    return status;
}

static enum hone_status cuda_find_variable(struct hone_device *dev,
                                           struct hone_module *module, const char *name,
                                           hone_devptr *out, size_t *bytes,
                                           struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK) return status;
    CUdeviceptr ptr = 0;
    CUresult result = cuda->driver->cuModuleGetGlobal(&ptr, bytes, module->module, name);
    if (result == CUDA_ERROR_NOT_FOUND)
        return hone_fail(err, HONE_ENOTFOUND, "the module has no variable '%s'", name);
    if (result != CUDA_SUCCESS)
        return hone_cuda_broken(dev, "cuModuleGetGlobal", result, err);
    *out = ptr;
    return HONE_OK;
}

static enum hone_status cuda_alloc(struct hone_device *dev, size_t bytes,
                                   hone_devptr *out, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK) return status;
    CUdeviceptr ptr = 0;
    CUresult result = cuda->driver->cuMemAlloc(&ptr, bytes ? bytes : 1);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return hone_fail(err, HONE_ELIMIT, "%s has no room for %zu bytes", dev->id,
                         bytes);
    if (result != CUDA_SUCCESS) return hone_cuda_broken(dev, "cuMemAlloc", result, err);
    *out = ptr;
    return HONE_OK;
}

static void cuda_free(struct hone_device *dev, hone_devptr ptr)
{
    struct hone_cuda *cuda = dev->priv;
    if (ptr && hone_cuda_enter(dev, NULL) == HONE_OK) cuda->driver->cuMemFree(ptr);
}

static enum hone_status cuda_copy(struct hone_device *dev, enum hone_copy direction,
                                  hone_devptr ptr, void *host, size_t bytes,
                                  struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK || bytes == 0) return status;
    bool up = direction == HONE_TO_DEVICE;
    CUresult result = up ? cuda->driver->cuMemcpyHtoD(ptr, host, bytes)
                         : cuda->driver->cuMemcpyDtoH(host, ptr, bytes);
    if (result == CUDA_SUCCESS) return HONE_OK;
    return hone_cuda_broken(dev, up ? "copying to the device" : "copying from the device",
                            result, err);
}

static enum hone_status cuda_fill(struct hone_device *dev, hone_devptr ptr, uint8_t byte,
                                  size_t bytes, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK || bytes == 0) return status;
    CUresult result = cuda->driver->cuMemsetD8Async(ptr, byte, bytes, cuda->stream);
    return result == CUDA_SUCCESS ? HONE_OK
                                  : hone_cuda_broken(dev, "filling", result, err);
}

static enum hone_status cuda_encode_tensor_map(struct hone_device *dev,
                                               const struct hone_tensor_map *map,
                                               hone_devptr base, void *out,
                                               struct hone_error *err)
{
    static const cuuint32_t steps[HONE_MAP_RANK_MAX] = {1, 1, 1, 1, 1};
    const struct hone_cuda *cuda = dev->priv;
    const struct hone_map_modes *modes = &map->modes;
    if (dev->limits.cc_major < 9)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "%s is of compute capability %d.%d, tensor maps need 9.0",
                         dev->id, (int)dev->limits.cc_major, (int)dev->limits.cc_minor);
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK) return status;
    const CUresult result = cuda->driver->cuTensorMapEncodeTiled(
        out, (CUtensorMapDataType)map->type, map->rank, (void *)(uintptr_t)base,
        map->size, map->stride_bytes + 1, map->box, steps,
        (CUtensorMapInterleave)hone_map_interleave(modes->interleave),
        (CUtensorMapSwizzle)hone_map_swizzle(modes->swizzle),
        (CUtensorMapL2promotion)hone_map_promotion(modes->promotion),
        modes->nan_fill ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                        : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result == CUDA_SUCCESS) return HONE_OK;
    return hone_cuda_broken(dev, "cuTensorMapEncodeTiled", result, err);
}

const struct hone_device_fns hone_device_cuda = {
    .name = "cuda",
    .description = "a GPU of this machine, over the CUDA driver API",
    .priv_size = sizeof(struct hone_cuda),
    .open = cuda_open,
    .close = cuda_close,
    .load = hone_cuda_load,
    .unload = hone_cuda_unload,
    .find_variable = cuda_find_variable,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .copy = cuda_copy,
    .fill = cuda_fill,
    .encode_tensor_map = cuda_encode_tensor_map,
    .launch = hone_cuda_launch,
    .time = hone_cuda_time,
    .count = hone_cuda_read_counters,
    .set_aside = cuda_set_aside,
    .check_clock = hone_cuda_check_clock,
};
