/* A program as a library's user writes it: it makes a context, loads from many threads,
 * launches, and tells what came of it. Compiled by test_payload.c with the emitted header,
 * run on the fake driver. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scale.h"

enum { THREADS = 8, N = 5000 };

static void *context;
static int (*set_current)(void *);
static int (*find)(const char *, void **, int, unsigned long long, void *);

static void get(const char *name, void *slot)
{
    void *symbol = 0;
    if (find(name, &symbol, 12000, 0, 0)) exit(9);
    memcpy(slot, &symbol, sizeof symbol);
}

static void *load(void *status)
{
    int i;
    set_current(context);
    for (i = 0; i < SCALE_CONFIGS && !*(int *)status; i++)
        *(int *)status = scale_load(&scale_configs[i]);
    return 0;
}

static int load_from_threads(void)
{
    pthread_t threads[THREADS];
    int status[THREADS] = {0}, i, worst = 0;
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], 0, load, &status[i])) exit(9);
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        if (status[i]) worst = status[i];
    }
    return worst;
}

static int wrong(const float *x, const float *y, long long n, float a)
{
    int bad = 0;
    long long i;
    for (i = 0; i < n; i++)
        bad += y[i] != a * x[i];
    return bad;
}

int main(void)
{
    static float x[N], y[N];
    int (*retain)(void **, int), (*init)(unsigned);
    size_t (*live)(void);
    size_t before;
    scale_gpu gpu = scale_gpu_of(0, 0, 0);
    void *library, *address;
    int i, loaded;
    printf("no context: %d\n", scale_launch(0, N, x, y, 2));
    library = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW);
    address = dlsym(library, "cuGetProcAddress_v2");
    memcpy(&find, &address, sizeof find);
    get("cuInit", &init);
    get("cuDevicePrimaryCtxRetain", &retain);
    get("cuCtxSetCurrent", &set_current);
    get("fake_cuda_live", &live);
    if (init(0) || retain(&context, 0) || set_current(context)) return 9;
    before = live();
    for (i = 0; i < N; i++)
        x[i] = (float)i;
    loaded = load_from_threads();
    printf("loaded: %d, %d objects\n", loaded, (int)(live() - before) / SCALE_CONFIGS);
    i = scale_gpu_here(&gpu);
    printf("gpu: %d, %d.%d\n", i, gpu.cc_major, gpu.cc_minor);
    printf("launch: %d,", scale_launch(0, N, x, y, 2));
    printf(" wrong: %d,", wrong(x, y, N, 2));
    printf(" launch: %d,", scale_launch(0, 70, x, y, 0.5f));
    printf(" wrong: %d\n", wrong(x, y, 70, 0.5f));
    printf("none: %d\n", scale_launch_config(0, 0, N, x, y, 2));
    i = scale_unload();
    printf("unloaded: %d, %d objects\n", i, (int)(live() - before));
    printf("again: %d\n", scale_launch(0, N, x, y, 3));
    printf("wrong: %d\n", wrong(x, y, N, 3));
    return 0;
}
