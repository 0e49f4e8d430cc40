/* A library's user who knows nothing of tensor maps: the header makes them of pointers. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mapped.h"

enum { N = 96, ROWS = 7 };

static int (*find)(const char *, void **, int, unsigned long long, void *);

static void get(const char *name, void *slot)
{
    void *symbol = 0;
    if (find(name, &symbol, 12000, 0, 0)) exit(9);
    memcpy(slot, &symbol, sizeof symbol);
}

int main(void)
{
    static float x[N * ROWS + 3], y[N * ROWS];
    int (*init)(unsigned), (*retain)(void **, int), (*set_current)(void *);
    void *context = 0, *library = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW);
    void *address = dlsym(library, "cuGetProcAddress_v2");
    float *even = (float *)(void *)((char *)x + (16 - (size_t)x % 16) % 16);
    int i, status, bad = 0;
    memcpy(&find, &address, sizeof find);
    get("cuInit", &init);
    get("cuDevicePrimaryCtxRetain", &retain);
    get("cuCtxSetCurrent", &set_current);
    if (init(0) || retain(&context, 0) || set_current(context)) return 9;
    for (i = 0; i < N * ROWS; i++)
        even[i] = (float)i;
    status = mapped_launch(0, N, ROWS, even, y);
    for (i = 0; i < N * ROWS; i++)
        bad += y[i] != (float)(2 * i);
    printf("launch: %d, wrong: %d\n", status, bad);
    printf("odd address: %d\n", mapped_launch(0, N, ROWS, even + 1, y));
    printf("odd size: %d\n", mapped_launch(0, N - 1, ROWS, even, y));
    printf("odd size, forced: %d\n",
           mapped_launch_config(&mapped_configs[0], 0, N - 1, ROWS, even, y));
    return 0;
}
