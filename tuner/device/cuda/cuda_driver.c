// Opening libcuda.so.1 and binding its functions; every way of having no GPU becomes one
// status with a text of its own.
#include "cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const struct function {
    const char *name;
    int version;
    size_t offset;
} functions[] = {
#define HONE_CUDA_DRIVER_ROW(name, version)                                              \
    {#name, version, offsetof(struct hone_cuda_driver, name)},
    HONE_CUDA_DRIVER_LIST(HONE_CUDA_DRIVER_ROW)
#undef HONE_CUDA_DRIVER_ROW
};

static const char default_path[] = "libcuda.so.1";

static enum hone_status open_library(void **out, const char *path, struct hone_error *err)
{
    enum hone_status status = hone_file_check_library(path, err);
    *out = NULL;
    if (status != HONE_OK) return status;
    *out = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*out) return HONE_OK;
    const char *why = dlerror();
    if (strcmp(path, default_path) == 0 && why && strstr(why, "No such file"))
        return hone_fail(err, HONE_ENODEVICE,
                         "libcuda.so.1 not found: no NVIDIA driver on this machine");
    return hone_fail(err, HONE_ENODEVICE, "cannot open the CUDA driver '%s': %s", path,
                     why ? why : "unknown reason");
}

// A driver's entry point; ISO C has no cast from an object pointer to a function pointer.
static PFN_cuGetProcAddress_v12000 entry_point(void *library)
{
    void *symbol = dlsym(library, "cuGetProcAddress_v2");
    PFN_cuGetProcAddress_v12000 function;
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static enum hone_status cuda_driver_bind(struct hone_cuda_driver *driver,
                                         const char *path, struct hone_error *err)
{
    driver->find = entry_point(driver->library);
    if (!driver->find)
        return hone_fail(err, HONE_ENODEVICE,
                         "'%s' lacks cuGetProcAddress_v2: no driver for CUDA 12 or later",
                         path);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *symbol = NULL;
        const CUresult result =
            driver->find(functions[i].name, &symbol, functions[i].version,
                         CU_GET_PROC_ADDRESS_DEFAULT, NULL);
        if (result == CUDA_ERROR_STUB_LIBRARY)
            return hone_fail(
                err, HONE_ENODEVICE,
                "'%s' is the toolkit's stub: no NVIDIA driver on this machine", path);
        if (result != CUDA_SUCCESS || !symbol)
            return hone_fail(err, HONE_ENODEVICE,
                             "the CUDA driver '%s' lacks %s (error %d)", path,
                             functions[i].name, (int)result);
        memcpy((char *)driver + functions[i].offset, &symbol, sizeof symbol);
    }
    return HONE_OK;
}

static enum hone_status initialise(struct hone_cuda_driver *driver,
                                   struct hone_error *err)
{
    int count = 0;
    CUresult result = driver->cuInit(0);
    if (result == CUDA_SUCCESS) result = driver->cuDriverGetVersion(&driver->version);
    if (result == CUDA_SUCCESS) result = driver->cuDeviceGetCount(&count);
    if (result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && count == 0))
        return hone_fail(err, HONE_ENODEVICE, "the NVIDIA driver finds no GPU");
    if (result == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
        return hone_fail(err, HONE_ENODEVICE,
                         "libcuda.so.1 and the kernel module are of different versions");
    if (result == CUDA_SUCCESS) return HONE_OK;
    const char *name = NULL;
    driver->cuGetErrorName(result, &name);
    return hone_fail(err, HONE_ENODEVICE, "the CUDA driver does not start: %s (%d)",
                     name ? name : "unknown error", (int)result);
}

enum hone_status hone_cuda_driver_open(struct hone_cuda_driver *out, const char *path,
                                       struct hone_error *err)
{
    *out = (struct hone_cuda_driver){0};
    enum hone_status status = open_library(&out->library, path, err);
    if (status == HONE_OK) status = cuda_driver_bind(out, path, err);
    if (status == HONE_OK) status = initialise(out, err);
    if (status != HONE_OK) hone_cuda_driver_close(out);
    return status;
}

void hone_cuda_driver_close(struct hone_cuda_driver *driver)
{
    if (driver->library) dlclose(driver->library);
    *driver = (struct hone_cuda_driver){0};
}

bool hone_cuda_driver_profilable(const struct hone_cuda_driver *driver)
{
    void *symbol = NULL;
    CUresult result = driver->find("cuGetExportTable", &symbol, 3000,
                                   CU_GET_PROC_ADDRESS_DEFAULT, NULL);
    return result == CUDA_SUCCESS && symbol;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct hone_cuda_driver process_driver;
static struct hone_error process_error;

static void open_once(void)
{
    const char *path = getenv("HONE_LIBCUDA");
    hone_cuda_driver_open(&process_driver, path && *path ? path : default_path,
                          &process_error);
}

const struct hone_cuda_driver *hone_cuda_driver_get(struct hone_error *err)
{
    pthread_once(&once, open_once);
    if (process_error.code == HONE_OK) return &process_driver;
    hone_error_pass(err, process_error.code, &process_error);
    return NULL;
}
