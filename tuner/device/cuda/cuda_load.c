// Modules of a GPU: a cubin, or where the driver is too old for it, its PTX.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arch.h"
#include "base/c_text.h"
#include "base/log.h"
#include "cuda_internal.h"
#include "cuda_result.h"

// Bytes of static shared memory, so that static and dynamic together stay within the
// limit.
static CUresult find_entry(struct hone_cuda *cuda, struct hone_module *module,
                           const char *entry)
{
    CUresult result =
        cuda->driver->cuModuleGetFunction(&module->function, module->module, entry);
    int static_bytes = 0;
    if (result == CUDA_SUCCESS)
        result = cuda->driver->cuFuncGetAttribute(
            &static_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, module->function);
    if (result == CUDA_SUCCESS && static_bytes < HONE_SHARED_ALWAYS)
        module->dynamic_shared_limit = (uint32_t)(HONE_SHARED_ALWAYS - static_bytes);
    snprintf(module->name, sizeof module->name, "%s", entry);
    return result;
}

static CUresult load_image(struct hone_cuda *cuda, CUmodule *out, const void *image,
                           char *jit_log, size_t cap)
{
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {jit_log, (void *)(uintptr_t)cap};
    return cuda->driver->cuModuleLoadDataEx(out, image, 2, options, values);
}

static void add_reason(struct hone_fault *fault, const char *format, ...)
{
    const size_t len = strlen(fault->reason);
    va_list args;
    va_start(args, format);
    hone_vsnprintf(fault->reason + len, sizeof fault->reason - len, format, args);
    va_end(args);
}

// The first line of the JIT's log says more than the result's own text.
static void add_jit_log(struct hone_fault *fault, const char *log)
{
    if (*log) add_reason(fault, ": %.*s", (int)strcspn(log, "\n"), log);
}

// By the words of PTX that give a line another rank in L2 than the usual one. A policy
// may be a bare number, so any hint is taken for one.
static bool keeps_lines(const char *ptx)
{
    return ptx && (strstr(ptx, "evict_last") || strstr(ptx, "cache_hint"));
}

// The ISA of the PTX that a driver of this CUDA version compiles: 84 for 8.4 (PTX ISA,
// release notes).
static int isa_of_driver(int version)
{
    static const int twelve[] = {80, 81, 82, 83, 84, 85, 85, 86, 87, 88};
    const int major = version / 1000, minor = version % 1000 / 10;
    if (major == 12 && minor < 10) return twelve[minor];
    return (major - 4) * 10 + minor;
}

// Where its number stands, and how long it is: ".version 9.0".
static const char *find_isa(const char *ptx, int *isa, size_t *len)
{
    static const char word[] = ".version ";
    const char *at = ptx ? strstr(ptx, word) : NULL;
    int major = 0, minor = 0, used = 0;
    if (!at || sscanf(at + sizeof word - 1, "%d.%d%n", &major, &minor, &used) != 2)
        return NULL;
    *isa = 10 * major + minor;
    *len = (size_t)used;
    return at + sizeof word - 1;
}

// The CUDA major version that built it, where the driver's is older; else 0.
static int too_new(const struct hone_cuda *cuda, const struct hone_build *build)
{
    int isa = 0;
    size_t len = 0;
    if (!find_isa(build->ptx, &isa, &len)) return 0;
    const int major = isa / 10 + 4; // from 11 on: 7.x is of CUDA 11, 8.x of 12, 9.x of 13
    return major > cuda->driver->version / 1000 ? major : 0;
}

static bool is_refused_image(CUresult result)
{
    return result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
           result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

// The PTX, said to be of the ISA that the driver knows: NVRTC writes its newest, and
// needs it for few instructions. The driver's compiler tells of those.
static CUresult load_relabelled(struct hone_cuda *cuda, struct hone_module *module,
                                const struct hone_build *build, char *jit_log, size_t cap)
{
    int isa = 0;
    size_t len = 0;
    const char *number = find_isa(build->ptx, &isa, &len);
    const int known = isa_of_driver(cuda->driver->version);
    char *text = malloc(build->ptx_size + 16);
    if (!text) return CUDA_ERROR_OUT_OF_MEMORY;
    const size_t before = (size_t)(number - build->ptx);
    memcpy(text, build->ptx, before);
    snprintf(text + before, build->ptx_size + 16 - before, "%d.%d%s", known / 10,
             known % 10, number + len);
    const CUresult result = load_image(cuda, &module->module, text, jit_log, cap);
    free(text);
    return result;
}

static void add_versions(struct hone_fault *fault, const struct hone_cuda *cuda,
                         int built_by)
{
    const int version = cuda->driver->version;
    add_reason(
        fault,
        ": NVRTC of CUDA %d built it, the driver takes CUDA %d.%d (NVRTC %d, a newer "
        "driver or the package cuda-compat-%d-0 would do)",
        built_by, version / 1000, version % 1000 / 10, version / 1000, built_by);
}

static void tell_of_jit(struct hone_device *dev, int built_by)
{
    struct hone_cuda *cuda = dev->priv;
    const int version = cuda->driver->version;
    if (cuda->told_of_jit) return;
    cuda->told_of_jit = true;
    hone_log(HONE_LOG_WARNING,
             "%s: cubins of CUDA %d do not load on its driver of CUDA %d.%d: the driver "
             "compiles their PTX instead, and a time may not be that of the cubin",
             dev->id, built_by, version / 1000, version % 1000 / 10);
}

static CUresult load_build(struct hone_device *dev, struct hone_module *module,
                           const struct hone_build *build, struct hone_fault *fault)
{
    struct hone_cuda *cuda = dev->priv;
    char jit_log[512] = "";
    const void *image = build->cubin ? build->cubin : build->ptx;
    const CUresult result =
        load_image(cuda, &module->module, image, jit_log, sizeof jit_log);
    if (result == CUDA_SUCCESS) return result;
    hone_cuda_set_fault(cuda, fault, result, NULL);
    add_jit_log(fault, jit_log);
    const int built_by = is_refused_image(result) ? too_new(cuda, build) : 0;
    if (!built_by) return result;
    add_versions(fault, cuda, built_by);
    jit_log[0] = '\0';
    if (load_relabelled(cuda, module, build, jit_log, sizeof jit_log) == CUDA_SUCCESS) {
        tell_of_jit(dev, built_by);
        return CUDA_SUCCESS;
    }
    if (*jit_log) add_reason(fault, "; of its PTX the driver says");
    add_jit_log(fault, jit_log);
    return result;
}

enum hone_status hone_cuda_load(struct hone_device *dev, const struct hone_build *build,
                                const char *entry, struct hone_module **out,
                                struct hone_fault *fault, struct hone_error *err)
{
    struct hone_cuda *cuda = dev->priv;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    enum hone_status status = hone_cuda_enter(dev, err);
    if (status != HONE_OK) return status;
    struct hone_module *module = calloc(1, sizeof *module);
    if (!module) return hone_no_memory(err, "loading '%s'", entry);
    module->keeps = keeps_lines(build->ptx);
    module->cluster_limit = HONE_CLUSTER_PORTABLE;
    memcpy(module->own_cluster, build->clusters.size, sizeof module->own_cluster);
    module->wants_cluster = build->clusters.wanted;
    if (load_build(dev, module, build, fault) == CUDA_SUCCESS) {
        *fault = (struct hone_fault){.outcome = HONE_VALID};
        const CUresult result = find_entry(cuda, module, entry);
        if (result != CUDA_SUCCESS) hone_cuda_set_fault(cuda, fault, result, NULL);
    }
    if (fault->outcome == HONE_VALID)
        *out = module;
    else
        hone_cuda_unload(dev, module);
    return HONE_OK;
}

void hone_cuda_unload(struct hone_device *dev, struct hone_module *module)
{
    struct hone_cuda *cuda = dev->priv;
    if (!module) return;
    if (module->module && hone_cuda_enter(dev, NULL) == HONE_OK)
        cuda->driver->cuModuleUnload(module->module);
    free(module);
}
