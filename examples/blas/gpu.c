#define _POSIX_C_SOURCE 200809L
#include "gpu.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As cuda.h declares them; no header of CUDA is needed to build. */
typedef uint64_t device_pointer;
static struct {
    int (*init)(unsigned);
    int (*get)(int *, int);
    int (*name)(char *, int, int);
    int (*retain)(void **, int);
    int (*set)(void *);
    int (*alloc)(device_pointer *, size_t);
    int (*free)(device_pointer);
    int (*in)(device_pointer, const void *, size_t);
    int (*out)(void *, device_pointer, size_t);
} cu;

static char why[256] = "gpu_open was not called";

static int find_all(void *library)
{
    static const char *const names[] = {
        "cuInit",          "cuDeviceGet", "cuDeviceGetName", "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent", "cuMemAlloc",  "cuMemFree",       "cuMemcpyHtoD",
        "cuMemcpyDtoH"};
    int (*find)(const char *, void **, int, uint64_t, void *) = NULL;
    void *symbol = dlsym(library, "cuGetProcAddress_v2");
    memcpy(&find, &symbol, sizeof find);
    for (size_t i = 0; find && i < sizeof names / sizeof *names; i++) {
        if (find(names[i], &symbol, 12000, 0, NULL) != 0 || !symbol) return 0;
        memcpy((char *)&cu + i * sizeof cu.init, &symbol, sizeof symbol);
    }
    return find != NULL;
}

const char *gpu_open(void)
{
    static char name[128];
    const char *given = getenv("HONE_LIBCUDA");
    void *library = dlopen(given ? given : "libcuda.so.1", RTLD_NOW);
    void *context = NULL;
    int device = 0;
    if (!library) {
        snprintf(why, sizeof why, "%s", dlerror());
        return NULL;
    }
    if (!find_all(library)) {
        snprintf(why, sizeof why, "the driver is older than CUDA 12");
        return NULL;
    }
    int error = cu.init(0);
    if (!error) error = cu.get(&device, 0);
    if (!error) error = cu.name(name, sizeof name, device);
    if (!error) error = cu.retain(&context, device);
    if (!error) error = cu.set(context);
    snprintf(why, sizeof why, "CUDA error %d", error);
    return error ? NULL : name;
}

const char *gpu_why_not(void)
{
    return why;
}

float *gpu_copy_in(const float *host, size_t count)
{
    device_pointer memory = 0;
    if (!host || cu.alloc(&memory, count * sizeof *host + 4) != 0) return NULL;
    if (cu.in(memory, host, count * sizeof *host) == 0) return (float *)(uintptr_t)memory;
    cu.free(memory);
    return NULL;
}

int gpu_copy_out(float *host, const float *gpu, size_t count)
{
    return cu.out(host, (device_pointer)(uintptr_t)gpu, count * sizeof *host);
}

void gpu_free(float *gpu)
{
    if (gpu) cu.free((device_pointer)(uintptr_t)gpu);
}
