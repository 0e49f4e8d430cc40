// Modules of PTX, their functions and launches, as the emulated driver has them.
#include "emu_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu_calls.h"

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

static struct CUfunc_st *functions;

CUresult emu_module_load(CUmodule *out, const void *image, unsigned count,
                         CUjit_option *options, void **values)
{
    emu_note_call("cuModuleLoadDataEx", NULL);
    (void)count, (void)options, (void)values;
    if (!emu_context) return CUDA_ERROR_INVALID_CONTEXT;
    if (memcmp(image, "\177ELF", 4) == 0) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    struct CUmod_st *module = calloc(1, sizeof *module);
    if (module) module->ptx = strdup(image);
    *out = module;
    return module && module->ptx ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult emu_module_unload(CUmodule module)
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

CUresult emu_module_function(CUfunction *out, CUmodule module, const char *name)
{
    struct hone_error err = {0};
    struct hone_fault fault = {0};
    struct CUfunc_st *function = calloc(1, sizeof *function);
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = module->ptx, .ptx_size = strlen(module->ptx)};
    if (!function) return CUDA_ERROR_OUT_OF_MEMORY;
    pthread_mutex_lock(&emu_driver.lock);
    enum hone_status status = HONE_ENOTFOUND;
    if (read_params(function, module->ptx, name))
        status = emu_driver.device->fns->load(emu_driver.device, &build, name,
                                              &function->module, &fault, &err);
    function->wants_cluster = wants_cluster(module->ptx, name);
    module->latest = function->module;
    function->next = functions;
    functions = function;
    pthread_mutex_unlock(&emu_driver.lock);
    *out = function;
    if (status == HONE_ENOTFOUND) return CUDA_ERROR_NOT_FOUND;
    if (status == HONE_OK && fault.outcome != HONE_VALID)
        return emu_complain("cuModuleGetFunction", fault.reason);
    return emu_result("cuModuleGetFunction", status, &err);
}

CUresult emu_module_global(CUdeviceptr *out, size_t *bytes, CUmodule module,
                           const char *name)
{
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    if (!module->latest) return CUDA_ERROR_NOT_FOUND;
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status = emu_driver.device->fns->find_variable(
        emu_driver.device, module->latest, name, &ptr, bytes, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    *out = ptr;
    return status == HONE_OK ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult emu_function_set(CUfunction function, CUfunction_attribute attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
        function->large_clusters = value != 0;
    return attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                   value > emu_driver.device->limits.max_shared_bytes
               ? CUDA_ERROR_INVALID_VALUE
               : CUDA_SUCCESS;
}

CUresult emu_function_get(int *out, CUfunction_attribute attribute, CUfunction function)
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
    if (!emu_context) return CUDA_ERROR_INVALID_CONTEXT;
    pthread_mutex_lock(&emu_driver.lock);
    const enum hone_status status = emu_driver.device->fns->launch(
        emu_driver.device, function->module, &launch, &fault, &err);
    pthread_mutex_unlock(&emu_driver.lock);
    if (status == HONE_OK && fault.outcome != HONE_VALID) {
        emu_complain("cuLaunchKernel", fault.reason);
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    return emu_result("cuLaunchKernel", status, &err);
}

CUresult emu_launch_kernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
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

CUresult emu_launch_with(const CUlaunchConfig *config, CUfunction function, void **params,
                         void **extra)
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

void emu_modules_close(void)
{
    for (struct CUfunc_st *f = functions, *next; f; f = next) {
        next = f->next;
        if (f->module) emu_driver.device->fns->unload(emu_driver.device, f->module);
        free(f);
    }
    functions = NULL;
}
