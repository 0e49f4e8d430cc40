/* A library's user whose matrices lie anywhere: an array of pointers on the device, passed
 * by the header's typed launch. Compiled by test_payload.c with the emitted header, run on
 * the emulated driver. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { ROWS = 5, N = 300 };

typedef unsigned long long device_pointer;

static int (*find)(const char *, void **, int, unsigned long long, void *);

static void get(const char *name, void *slot)
{
    void *symbol = 0;
    if (find(name, &symbol, 12000, 0, 0)) exit(9);
    memcpy(slot, &symbol, sizeof symbol);
}

int main(void)
{
    int (*init)(unsigned), (*retain)(void **, int), (*set_current)(void *);
    int (*allocate)(device_pointer *, size_t);
    int (*to_device)(device_pointer, const void *, size_t);
    int (*to_host)(void *, device_pointer, size_t);
    void *context = 0, *library = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW);
    void *address = dlsym(library, "cuGetProcAddress_v2");
    device_pointer x[ROWS], y[ROWS], x_array, y_array;
    float row[N];
    int i, k, status, bad = 0;
    memcpy(&find, &address, sizeof find);
    get("cuInit", &init);
    get("cuDevicePrimaryCtxRetain", &retain);
    get("cuCtxSetCurrent", &set_current);
    get("cuMemAlloc", &allocate);
    get("cuMemcpyHtoD", &to_device);
    get("cuMemcpyDtoH", &to_host);
    if (init(0) || retain(&context, 0) || set_current(context)) return 9;
    for (i = ROWS - 1; i >= 0; i--) { /* row 0 lies last */
        if (allocate(&x[i], sizeof row) || allocate(&y[i], sizeof row)) return 9;
        for (k = 0; k < N; k++)
            row[k] = (float)(1000 * i + k);
        to_device(x[i], row, sizeof row);
    }
    if (allocate(&x_array, sizeof x) || allocate(&y_array, sizeof y)) return 9;
    to_device(x_array, x, sizeof x);
    to_device(y_array, y, sizeof y);
    status = rows_launch(0, N, ROWS, (const float *const *)(uintptr_t)x_array,
                         (float *const *)(uintptr_t)y_array);
    for (i = 0; i < ROWS; i++) {
        to_host(row, y[i], sizeof row);
        for (k = 0; k < N; k++)
            bad += row[k] != (float)(2 * (1000 * i + k));
    }
    printf("launch: %d, wrong: %d\n", status, bad);
    return 0;
}
