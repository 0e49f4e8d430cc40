// A libcuda.so.1 over the PTX emulator: what a program needs that loads PTX, copies memory
// and launches kernels runs without a GPU, and computes what the PTX says. $HONE_EMU_GPU
// names the GPU ("h200"). One device, one context, every call complete when it returns.
// Cubins are refused; there are no streams, events or textures.
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_maps.h"
#include "emu_calls.h"
#include "emu_driver.h"

struct emu_driver emu_driver = {.lock = PTHREAD_MUTEX_INITIALIZER};
_Thread_local CUcontext emu_context;
static CUcontext const the_context = (CUcontext)&emu_driver;

#define EXPORT __attribute__((visibility("default")))

CUresult emu_complain(const char *call, const char *text)
{
    fprintf(stderr, "emu_cuda: %s: %s\n", call, text);
    return CUDA_ERROR_UNKNOWN;
}

CUresult emu_result(const char *call, enum hone_status status,
                    const struct hone_error *err)
{
    if (status == HONE_OK) return CUDA_SUCCESS;
    emu_complain(call, err->text);
    return status == HONE_ELIMIT ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE;
}

/* --- device and context --- */

static CUresult init(unsigned flags)
{
    struct hone_error err = {0};
    char name[64];
    const char *gpu = getenv("HONE_EMU_GPU");
    (void)flags;
    snprintf(name, sizeof name, "emu:%s", gpu && *gpu ? gpu : "h200");
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status =
        emu_driver.device ? HONE_OK : hone_device_open(&emu_driver.device, name, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    return status == HONE_OK ? CUDA_SUCCESS
                             : (emu_complain("cuInit", err.text), CUDA_ERROR_NO_DEVICE);
}

static CUresult driver_version(int *out)
{
    *out = 13000;
    return CUDA_SUCCESS;
}

static CUresult device_count(int *out)
{
    *out = 1;
    return emu_driver.device ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static CUresult device_get(CUdevice *out, int ordinal)
{
    if (!emu_driver.device) return CUDA_ERROR_NOT_INITIALIZED;
    *out = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult device_name(char *out, int size, CUdevice ordinal)
{
    (void)ordinal;
    snprintf(out, (size_t)size, "%s (emulated)", emu_driver.device->limits.name);
    return CUDA_SUCCESS;
}

static CUresult device_attribute(int *out, CUdevice_attribute attribute, CUdevice ordinal)
{
    const struct hone_limits *l = &emu_driver.device->limits;
    const struct {
        CUdevice_attribute attribute;
        int64_t value;
    } known[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, l->cc_major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, l->cc_minor},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, l->sm_count},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, l->warp_size},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, l->max_threads_per_block},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, l->max_shared_bytes},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
         l->shared_bytes_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, l->max_threads_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, l->max_blocks_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, l->registers_per_block},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, l->registers_per_sm},
        {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, l->reserved_shared_bytes},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, l->l2_bytes},
        {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, l->sm_clock_khz},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, l->max_grid_x},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, l->max_grid_y},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, l->max_grid_z},
    };
    (void)ordinal;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].attribute == attribute) {
            *out = (int)known[i].value;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult total_memory(size_t *out, CUdevice ordinal)
{
    (void)ordinal;
    *out = (size_t)emu_driver.device->limits.memory_bytes;
    return CUDA_SUCCESS;
}

static CUresult context_retain(CUcontext *out, CUdevice ordinal)
{
    *out = the_context;
    return emu_driver.device && ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult context_release(CUdevice ordinal)
{
    (void)ordinal;
    return CUDA_SUCCESS;
}

static CUresult context_set(CUcontext context)
{
    emu_context = context;
    return CUDA_SUCCESS;
}

static CUresult context_get(CUcontext *out)
{
    *out = emu_context;
    return CUDA_SUCCESS;
}

static CUresult context_device(CUdevice *out)
{
    *out = 0;
    return emu_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult synchronize(void)
{
    emu_note_call("cuCtxSynchronize", NULL);
    return emu_context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult error_string(CUresult error, const char **text)
{
    *text = error == CUDA_SUCCESS ? "no error" : "an error of the emulated driver";
    return CUDA_SUCCESS;
}

/* --- memory --- */

static CUresult memory_alloc(CUdeviceptr *out, size_t bytes)
{
    emu_note_call("cuMemAlloc", NULL);
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    if (!emu_context) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status =
        emu_driver.device->fns->alloc(emu_driver.device, bytes, &ptr, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    *out = ptr;
    return emu_result("cuMemAlloc", status, &err);
}

static CUresult memory_free(CUdeviceptr ptr)
{
    emu_note_call("cuMemFree", NULL);
    pthread_mutex_lock(&emu_driver.lock);
    emu_driver.device->fns->free(emu_driver.device, ptr);
    pthread_mutex_unlock(&emu_driver.lock);
    return CUDA_SUCCESS;
}

static CUresult copy(enum hone_copy direction, CUdeviceptr ptr, void *host, size_t bytes)
{
    struct hone_error err = {0};
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status = emu_driver.device->fns->copy(
        emu_driver.device, direction, ptr, host, bytes, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    return emu_result("a copy", status, &err);
}

static CUresult copy_to_device(CUdeviceptr to, const void *from, size_t bytes)
{
    emu_note_call("cuMemcpyHtoD", NULL);
    void *host = malloc(bytes + 1);
    if (!host) return CUDA_ERROR_OUT_OF_MEMORY;
    memcpy(host, from, bytes);
    const CUresult result = copy(HONE_TO_DEVICE, to, host, bytes);
    free(host);
    return result;
}

static CUresult copy_to_host(void *to, CUdeviceptr from, size_t bytes)
{
    emu_note_call("cuMemcpyDtoH", NULL);
    return copy(HONE_TO_HOST, from, to, bytes);
}

static CUresult memory_set(CUdeviceptr ptr, unsigned char byte, size_t bytes)
{
    struct hone_error err = {0};
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status =
        emu_driver.device->fns->fill(emu_driver.device, ptr, byte, bytes, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    return emu_result("cuMemsetD8", status, &err);
}

__attribute__((destructor)) static void close_device(void)
{
    emu_modules_close();
    hone_device_close(emu_driver.device);
}

/* --- how it is found --- */

typedef void function(void);

static const struct {
    const char *name;
    function *address;
} entries[] = {
    {"cuInit", (function *)init},
    {"cuDriverGetVersion", (function *)driver_version},
    {"cuDeviceGetCount", (function *)device_count},
    {"cuDeviceGet", (function *)device_get},
    {"cuDeviceGetName", (function *)device_name},
    {"cuDeviceGetAttribute", (function *)device_attribute},
    {"cuDeviceTotalMem", (function *)total_memory},
    {"cuDevicePrimaryCtxRetain", (function *)context_retain},
    {"cuDevicePrimaryCtxRelease", (function *)context_release},
    {"cuCtxSetCurrent", (function *)context_set},
    {"cuCtxGetCurrent", (function *)context_get},
    {"cuCtxGetDevice", (function *)context_device},
    {"cuCtxSynchronize", (function *)synchronize},
    {"cuGetErrorString", (function *)error_string},
    {"cuMemAlloc", (function *)memory_alloc},
    {"cuMemFree", (function *)memory_free},
    {"cuMemcpyHtoD", (function *)copy_to_device},
    {"cuMemcpyDtoH", (function *)copy_to_host},
    {"cuMemsetD8", (function *)memory_set},
    {"cuModuleLoadDataEx", (function *)emu_module_load},
    {"cuModuleUnload", (function *)emu_module_unload},
    {"cuModuleGetFunction", (function *)emu_module_function},
    {"cuModuleGetGlobal", (function *)emu_module_global},
    {"cuFuncGetAttribute", (function *)emu_function_get},
    {"cuFuncSetAttribute", (function *)emu_function_set},
    {"cuLaunchKernel", (function *)emu_launch_kernel},
    {"cuLaunchKernelEx", (function *)emu_launch_with},
    {"cuTensorMapEncodeTiled", (function *)driver_encode_tiled},
    {"cuTensorMapEncodeIm2col", (function *)driver_encode_im2col},
    {"cuTensorMapReplaceAddress", (function *)driver_replace_address},
    {"cuEmuTakeCalls", (function *)emu_take_calls},
};

// "cuMemAlloc_v2" is cuMemAlloc: there is one version of each here.
static bool is_named(const char *name, const char *symbol)
{
    const size_t len = strlen(name);
    return strncmp(name, symbol, len) == 0 &&
           (symbol[len] == '\0' || strncmp(symbol + len, "_v2", 4) == 0);
}

#undef cuGetProcAddress
EXPORT CUresult cuGetProcAddress_v2(const char *symbol, void **out, int version,
                                    cuuint64_t flags,
                                    CUdriverProcAddressQueryResult *status)
{
    (void)version, (void)flags;
    *out = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (is_named(entries[i].name, symbol))
            memcpy(out, &entries[i].address, sizeof *out);
    if (status)
        *status =
            *out ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *out ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
