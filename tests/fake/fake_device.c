// The fake libcuda: errors, the device as an H200 would report itself, contexts, streams,
// events.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_chaos.h"
#include "fake_delay.h"
#include "fake_state.h"

struct CUevent_st {
    double at_us;
    size_t launches; // before it
    bool hangs;      // behind one that never ends
};

static int dummy_context;

static const struct {
    CUresult code;
    const char *name, *text;
} errors[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE",
     "device kernel image is invalid"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
     "PTX JIT compiler library not found"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
     "too many blocks in cooperative launch"},
    {CUDA_ERROR_INVALID_CLUSTER_SIZE, "CUDA_ERROR_INVALID_CLUSTER_SIZE",
     "cluster misconfiguration"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

static CUresult device_address(char *out, int size, CUdevice device)
{
    snprintf(out, (size_t)size, "0000:%02x:00.0", 16 + device);
    return CUDA_SUCCESS;
}

static CUresult error_field(CUresult error, const char **out, bool want_name)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].code != error) continue;
        *out = want_name ? errors[i].name : errors[i].text;
        return CUDA_SUCCESS;
    }
    *out = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult error_name(CUresult error, const char **out)
{
    return error_field(error, out, true);
}

static CUresult error_string(CUresult error, const char **out)
{
    return error_field(error, out, false);
}

static CUresult init(unsigned flags)
{
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (fake_state.init) return (CUresult)fake_state.init;
    if (fake_chaos_lost()) return CUDA_ERROR_NO_DEVICE;
    fake_delay("start");
    return fake_state.devices ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

static CUresult driver_version(int *out)
{
    *out = (int)fake_state.driver;
    return CUDA_SUCCESS;
}

static CUresult device_count(int *out)
{
    *out = (int)fake_state.devices;
    return CUDA_SUCCESS;
}

static CUresult device_get(CUdevice *out, int ordinal)
{
    if (ordinal < 0 || ordinal >= fake_state.devices) return CUDA_ERROR_INVALID_DEVICE;
    *out = ordinal;
    return CUDA_SUCCESS;
}

static CUresult device_name(char *out, int cap, CUdevice device)
{
    snprintf(out, (size_t)cap, "Fake GPU %d", fake_state.alike ? 0 : device);
    return CUDA_SUCCESS;
}

static CUresult device_attribute(int *out, CUdevice_attribute attribute, CUdevice device)
{
    (void)device;
    // As an H200 reports them (compute capability 9.0).
    const struct {
        CUdevice_attribute attribute;
        int value;
    } table[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, (int)fake_state.cc / 10},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, (int)fake_state.cc % 10},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, FAKE_SHARED_OPT_IN},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472},
        {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, FAKE_L2_BYTES},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
        {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 3201000},
        {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 6144},
        {CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE,
         fake_state.cc >= 80 ? FAKE_L2_BYTES / 4 * 3 : 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].attribute != attribute) continue;
        *out = table[i].value;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult device_uuid(CUuuid *out, CUdevice device)
{
    memset(out, 0, sizeof *out);
    out->bytes[15] = (char)device;
    return CUDA_SUCCESS;
}

static CUresult device_memory(size_t *out, CUdevice device)
{
    (void)device;
    *out = (size_t)fake_state.memory;
    return CUDA_SUCCESS;
}

static CUresult context_retain(CUcontext *out, CUdevice device)
{
    (void)device;
    if (fake_state.broken) return fake_state.broken;
    fake_chaos_context();
    fake_delay("context");
    *out = (CUcontext)(void *)&dummy_context;
    fake_state.contexts++;
    return CUDA_SUCCESS;
}

static CUresult context_release(CUdevice device)
{
    (void)device;
    fake_must_not_hang("cuDevicePrimaryCtxRelease");
    if (--fake_state.contexts == 0) fake_end_context();
    return fake_state.broken;
}

static _Thread_local CUcontext current;

static CUresult context_set(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
}

static CUresult context_limit(CUlimit limit, size_t value)
{
    if (limit != CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return CUDA_ERROR_UNSUPPORTED_LIMIT;
    fake_state.set_aside = (long)value;
    return fake_state.broken;
}

static CUresult context_forget_lines(void)
{
    if (fake_state.forget) return (CUresult)fake_state.forget;
    if (fake_state.kept_waited) fake_state.kept = NULL;
    return fake_state.broken;
}

static CUresult context_get(CUcontext *out)
{
    *out = current;
    return CUDA_SUCCESS;
}

static CUresult context_device(CUdevice *out)
{
    *out = 0;
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult stream_create(CUstream *out, unsigned flags)
{
    (void)flags;
    if (fake_state.broken) return fake_state.broken;
    *out = fake_new(1);
    return CUDA_SUCCESS;
}

static CUresult stream_destroy(CUstream stream)
{
    fake_must_not_hang("cuStreamDestroy");
    fake_delete(stream);
    return fake_state.broken;
}

// What was launched since the last wait takes its time.
static void pass_time(void)
{
    static double passed_us;
    const double us = fake_state.now_us - passed_us;
    passed_us = fake_state.now_us;
    fake_sleep(fake_delay_of("device") * us * 1e-6);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool hangs(void)
{
    if (!fake_state.hung) return false;
    if (!(fake_state.hung_s > 0)) fake_state.hung_s = seconds();
    if (fake_state.hang_s > 0 && seconds() > fake_state.hung_s + fake_state.hang_s)
        fake_state.hung = 0;
    return fake_state.hung;
}

static CUresult stream_query(CUstream stream)
{
    (void)stream;
    pass_time();
    if (hangs()) return CUDA_ERROR_NOT_READY;
    fake_state.finished = fake_state.launches;
    if (fake_state.pending) fake_state.broken = fake_state.pending;
    fake_state.kept_waited = true;
    return fake_state.broken;
}

static CUresult event_create(CUevent *out, unsigned flags)
{
    (void)flags;
    if (fake_state.broken) return fake_state.broken;
    *out = fake_new(sizeof **out);
    return CUDA_SUCCESS;
}

static CUresult event_destroy(CUevent event)
{
    fake_delete(event);
    return fake_state.broken;
}

static CUresult event_record(CUevent event, CUstream stream)
{
    (void)stream;
    event->at_us = fake_state.now_us;
    event->launches = fake_state.launches;
    event->hangs = fake_state.hung;
    fake_state.now_us += fake_state.overhead_us / 2;
    return fake_state.broken;
}

static CUresult event_query(CUevent event)
{
    if (event->hangs && hangs()) return CUDA_ERROR_NOT_READY;
    pass_time();
    if (event->launches > fake_state.finished) fake_state.finished = event->launches;
    if (fake_state.pending) fake_state.broken = fake_state.pending;
    return fake_state.broken;
}

static CUresult event_elapsed(float *out_ms, CUevent from, CUevent to)
{
    *out_ms = (float)((to->at_us - from->at_us) / 1e3);
    return to->hangs && fake_state.hung ? CUDA_ERROR_NOT_READY : fake_state.broken;
}

const struct fake_entry fake_device_functions[] = {
    {"cuInit", (fake_function *)init},
    {"cuDriverGetVersion", (fake_function *)driver_version},
    {"cuGetErrorName", (fake_function *)error_name},
    {"cuGetErrorString", (fake_function *)error_string},
    {"cuDeviceGetCount", (fake_function *)device_count},
    {"cuDeviceGet", (fake_function *)device_get},
    {"cuDeviceGetName", (fake_function *)device_name},
    {"cuDeviceGetAttribute", (fake_function *)device_attribute},
    {"cuDeviceGetPCIBusId", (fake_function *)device_address},
    {"cuDeviceTotalMem", (fake_function *)device_memory},
    {"cuDeviceGetUuid", (fake_function *)device_uuid},
    {"cuDevicePrimaryCtxRetain", (fake_function *)context_retain},
    {"cuDevicePrimaryCtxRelease", (fake_function *)context_release},
    {"cuCtxSetCurrent", (fake_function *)context_set},
    {"cuCtxSetLimit", (fake_function *)context_limit},
    {"cuCtxResetPersistingL2Cache", (fake_function *)context_forget_lines},
    {"cuCtxGetCurrent", (fake_function *)context_get},
    {"cuCtxGetDevice", (fake_function *)context_device},
    {"cuStreamCreate", (fake_function *)stream_create},
    {"cuStreamDestroy", (fake_function *)stream_destroy},
    {"cuStreamQuery", (fake_function *)stream_query},
    {"cuEventCreate", (fake_function *)event_create},
    {"cuEventDestroy", (fake_function *)event_destroy},
    {"cuEventRecord", (fake_function *)event_record},
    {"cuEventQuery", (fake_function *)event_query},
    {"cuEventElapsedTime", (fake_function *)event_elapsed},
    {NULL, NULL},
};
