// A libcuda.so.1 over the PTX emulator: what a program needs that loads PTX, copies memory
// and launches kernels runs without a GPU, and computes what the PTX says. $HONE_EMU_GPU
// names the GPU ("h200"). One device, one context, every call complete when it returns.
// Cubins are refused; there are no streams, events or textures.
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_maps.h"
#include "emu_calls.h"
#include "hone/device.h"

enum { PARAMS_MAX = 64 };

struct CUmod_st {
    char *ptx;
    struct hone_module *latest; /* of its functions; each has variables of its own */
};

struct CUfunc_st {
    struct hone_module *module;
    size_t param_count, param_sizes[PARAMS_MAX];
    bool large_clusters; /* allowed */
    bool wants_cluster;  /* a launch must say it */
    struct CUfunc_st *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hone_device *device;
static struct CUfunc_st *functions;
static CUcontext const the_context = (CUcontext)&device;
static _Thread_local CUcontext current;

#define EXPORT __attribute__((visibility("default")))

static CUresult complain(const char *call, const char *text)
{
    fprintf(stderr, "emu_cuda: %s: %s\n", call, text);
    return CUDA_ERROR_UNKNOWN;
}

static CUresult of_status(const char *call, enum hone_status status,
                          const struct hone_error *err)
{
    if (status == HONE_OK) return CUDA_SUCCESS;
    complain(call, err->text);
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
    pthread_mutex_lock(&lock);
    const enum hone_status status =
        device ? HONE_OK : hone_device_open(&device, name, &err);
    pthread_mutex_unlock(&lock);
    return status == HONE_OK ? CUDA_SUCCESS
                             : (complain("cuInit", err.text), CUDA_ERROR_NO_DEVICE);
}

static CUresult driver_version(int *out)
{
    *out = 13000;
    return CUDA_SUCCESS;
}

static CUresult device_count(int *out)
{
    *out = 1;
    return device ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

static CUresult device_get(CUdevice *out, int ordinal)
{
    if (!device) return CUDA_ERROR_NOT_INITIALIZED;
    *out = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult device_name(char *out, int size, CUdevice ordinal)
{
    (void)ordinal;
    snprintf(out, (size_t)size, "%s (emulated)", device->limits.name);
    return CUDA_SUCCESS;
}

static CUresult device_attribute(int *out, CUdevice_attribute attribute, CUdevice ordinal)
{
    const struct hone_limits *l = &device->limits;
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
    *out = (size_t)device->limits.memory_bytes;
    return CUDA_SUCCESS;
}

static CUresult context_retain(CUcontext *out, CUdevice ordinal)
{
    *out = the_context;
    return device && ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult context_release(CUdevice ordinal)
{
    (void)ordinal;
    return CUDA_SUCCESS;
}

static CUresult context_set(CUcontext context)
{
    current = context;
    return CUDA_SUCCESS;
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

static CUresult synchronize(void)
{
    emu_note_call("cuCtxSynchronize", NULL);
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
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
    if (!current) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    const enum hone_status status = device->fns->alloc(device, bytes, &ptr, &err);
    pthread_mutex_unlock(&lock);
    *out = ptr;
    return of_status("cuMemAlloc", status, &err);
}

static CUresult memory_free(CUdeviceptr ptr)
{
    emu_note_call("cuMemFree", NULL);
    pthread_mutex_lock(&lock);
    device->fns->free(device, ptr);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

static CUresult copy(enum hone_copy direction, CUdeviceptr ptr, void *host, size_t bytes)
{
    struct hone_error err = {0};
    pthread_mutex_lock(&lock);
    const enum hone_status status =
        device->fns->copy(device, direction, ptr, host, bytes, &err);
    pthread_mutex_unlock(&lock);
    return of_status("a copy", status, &err);
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
    pthread_mutex_lock(&lock);
    const enum hone_status status = device->fns->fill(device, ptr, byte, bytes, &err);
    pthread_mutex_unlock(&lock);
    return of_status("cuMemsetD8", status, &err);
}

/* --- modules and launches --- */

static CUresult module_load(CUmodule *out, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    emu_note_call("cuModuleLoadDataEx", NULL);
    (void)count, (void)options, (void)values;
    if (!current) return CUDA_ERROR_INVALID_CONTEXT;
    if (memcmp(image, "\177ELF", 4) == 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    struct CUmod_st *module = calloc(1, sizeof *module);
    if (module) module->ptx = strdup(image);
    *out = module;
    return module && module->ptx ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult module_unload(CUmodule module)
{
    free(module->ptx);
    free(module);
    return CUDA_SUCCESS;
}

// Bytes of a parameter as PTX declares it: ".u64 name", ".align 8 .b8 name[24]".
static size_t param_bytes(const char *declaration, size_t len)
{
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)len, declaration);
    static const char letters[] = "busf";
    size_t bytes = 0;
    for (const char *p = text; (p = strchr(p, '.')); p++)
        if (strchr(letters, p[1]) && p[2] >= '0' && p[2] <= '9')
            bytes = strtoul(p + 2, NULL, 10) / 8;
    const char *bracket = strchr(text, '[');
    return bracket ? bytes * strtoul(bracket + 1, NULL, 10) : bytes;
}

static bool read_params(struct CUfunc_st *function, const char *ptx, const char *entry)
{
    char opening[300];
    snprintf(opening, sizeof opening, ".entry %s(", entry);
    const char *at = strstr(ptx, opening);
    const char *end = at ? strchr(at, ')') : NULL;
    if (!end) return false;
    for (const char *p = at; (p = strstr(p, ".param")) && p < end;) {
        p += 6;
        if (function->param_count == PARAMS_MAX) return false;
        function->param_sizes[function->param_count++] = param_bytes(p, strcspn(p, ",)"));
    }
    return true;
}

// By ".explicitcluster" between its parameters and its body.
static bool wants_cluster(const char *ptx, const char *entry)
{
    char opening[300];
    snprintf(opening, sizeof opening, ".entry %s(", entry);
    const char *at = strstr(ptx, opening);
    const char *word = at ? strstr(at, ".explicitcluster") : NULL;
    return word && word < at + strcspn(at, "{");
}

static CUresult module_function(CUfunction *out, CUmodule module, const char *name)
{
    struct hone_error err = {0};
    struct hone_fault fault = {0};
    struct CUfunc_st *function = calloc(1, sizeof *function);
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = module->ptx, .ptx_size = strlen(module->ptx)};
    if (!function) return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&lock);
    enum hone_status status = HONE_ENOTFOUND;
    if (read_params(function, module->ptx, name))
        status = device->fns->load(device, &build, name, &function->module, &fault, &err);
    function->wants_cluster = wants_cluster(module->ptx, name);
    module->latest = function->module;
    function->next = functions;
    functions = function;
    pthread_mutex_unlock(&lock);
    *out = function;
    if (status == HONE_ENOTFOUND) return CUDA_ERROR_NOT_FOUND;
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        return complain("cuModuleGetFunction", fault.reason);
    return of_status("cuModuleGetFunction", status, &err);
}

static CUresult module_global(CUdeviceptr *out, size_t *bytes, CUmodule module,
                              const char *name)
{
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    if (!module->latest) return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&lock);
    const enum hone_status status =
        device->fns->find_variable(device, module->latest, name, &ptr, bytes, &err);
    pthread_mutex_unlock(&lock);
    *out = ptr;
    return status == HONE_OK ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUresult function_set(CUfunction function, CUfunction_attribute attribute,
                             int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        function->large_clusters = value != 0;
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                   value > device->limits.max_shared_bytes
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

static CUresult function_get(int *out, CUfunction_attribute attribute,
                             CUfunction function)
{
    *out = function->wants_cluster;
    return attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

static CUresult launch_now(CUfunction function, const struct hone_launch *asked,
                           void **params)
{
    struct hone_error err = {0};
    struct hone_fault fault = {0};
    struct hone_launch launch = *asked;
    const void *values[PARAMS_MAX];
    for (size_t i = 0; i < function->param_count; i++)
        values[i] = params[i];
    launch.params = values;
    launch.param_sizes = function->param_sizes;
    launch.param_count = function->param_count;
    if (!current) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    const enum hone_status status =
        device->fns->launch(device, function->module, &launch, &fault, &err);
    pthread_mutex_unlock(&lock);
    if (status == HONE_OK && fault.outcome != HONE_VALID) {
        complain("cuLaunchKernel", fault.reason);
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    return of_status("cuLaunchKernel", status, &err);
}

static CUresult launch_kernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                              unsigned bx, unsigned by, unsigned bz, unsigned shared,
                              CUstream stream, void **params, void **extra)
{
    emu_note_call("cuLaunchKernel", stream);
    (void)extra;
    const struct hone_launch launch = {
        .grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared_bytes = shared};
    return launch_now(function, &launch, params);
}

// Clusters of more than 8 blocks need a word before, as with the driver.
static CUresult read_attribute(struct hone_launch *launch, CUfunction function,
                               const CUlaunchAttribute *attribute)
{
    const CUlaunchAttributeValue *value = &attribute->value;
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
        if (value->cooperative) launch->flags |= HONE_LAUNCH_COOPERATIVE;
    } else if (attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) {
        if (value->programmaticStreamSerializationAllowed)
            launch->flags |= HONE_LAUNCH_DEPENDENT;
    } else if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
        const unsigned size[] = {value->clusterDim.x, value->clusterDim.y,
                                 value->clusterDim.z};
        memcpy(launch->cluster, size, sizeof size);
        if (size[0] * size[1] * size[2] > HONE_CLUSTER_PORTABLE &&
            !function->large_clusters)
            return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    } else {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static CUresult launch_with(const CUlaunchConfig *config, CUfunction function,
                            void **params, void **extra)
{
    emu_note_call("cuLaunchKernelEx", config->hStream);
    CUresult result = CUDA_SUCCESS;
    (void)extra;
    struct hone_launch launch = {
        .grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .block = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .shared_bytes = config->sharedMemBytes};
    for (unsigned i = 0; i < config->numAttrs && !result; i++)
        result = read_attribute(&launch, function, &config->attrs[i]);
    return result ? result : launch_now(function, &launch, params);
}

__attribute__((destructor)) static void close_device(void)
{
    for (struct CUfunc_st *f = functions, *next; f; f = next) {
        next = f->next;
        if (f->module) device->fns->unload(device, f->module);
        free(f);
    }
    hone_device_close(device);
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
    {"cuModuleLoadDataEx", (function *)module_load},
    {"cuModuleUnload", (function *)module_unload},
    {"cuModuleGetFunction", (function *)module_function},
    {"cuModuleGetGlobal", (function *)module_global},
    {"cuFuncGetAttribute", (function *)function_get},
    {"cuFuncSetAttribute", (function *)function_set},
    {"cuLaunchKernel", (function *)launch_kernel},
    {"cuLaunchKernelEx", (function *)launch_with},
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
