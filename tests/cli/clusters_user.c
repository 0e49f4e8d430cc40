/* A library's user of a kernel that runs in clusters: the launch and the selection of the
 * emitted header. Compiled by test_payload.c with it, run on the emulated driver. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "around.h"

enum { N = 1000 };

typedef unsigned long long device_pointer;

static int (*find)(const char *, void **, int, unsigned long long, void *);

static void get(const char *name, void *slot)
{
    void *symbol = 0;
    if (find(name, &symbol, 12000, 0, 0)) exit(9);
    memcpy(slot, &symbol, sizeof symbol);
}

static void tell_geometry(void)
{
    unsigned cluster[3] = {9, 9, 9}, grid[3];
    around_gpu gpu;
    const around_config *config;
    if (around_gpu_here(&gpu)) return;
    config = around_select_for(&gpu, N, 0);
    around_cluster(config, N, cluster);
    around_grid(config, N, grid);
    printf("grid: %u, cluster: %u %u %u\n", grid[0], cluster[0], cluster[1], cluster[2]);
}

int main(void)
{
    int (*init)(unsigned), (*retain)(void **, int), (*set_current)(void *);
    int (*allocate)(device_pointer *, size_t);
    int (*to_device)(device_pointer, const void *, size_t);
    int (*to_host)(void *, device_pointer, size_t);
    void *context = 0, *library = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW);
    void *address = dlsym(library, "cuGetProcAddress_v2");
    device_pointer x, y;
    float values[N];
    int i, status, bad = 0;
    memcpy(&find, &address, sizeof find);
    get("cuInit", &init);
    get("cuDevicePrimaryCtxRetain", &retain);
    get("cuCtxSetCurrent", &set_current);
    get("cuMemAlloc", &allocate);
    get("cuMemcpyHtoD", &to_device);
    get("cuMemcpyDtoH", &to_host);
    if (init(0) || retain(&context, 0) || set_current(context)) return 9;
    if (allocate(&x, sizeof values) || allocate(&y, sizeof values)) return 9;
    for (i = 0; i < N; i++)
        values[i] = (float)i;
    to_device(x, values, sizeof values);
    memset(values, 0, sizeof values);
    to_device(y, values, sizeof values);
    tell_geometry();
    status = around_launch(0, N, (const float *)(uintptr_t)x, (float *)(uintptr_t)y);
    to_host(values, y, sizeof values);
    for (i = 0; i < N; i++)
        bad += values[i] != (float)(2 * i);
    printf("launch: %d, wrong: %d\n", status, bad);
    return 0;
}
