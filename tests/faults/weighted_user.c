/* A library's user, who fills the kernel's symbol before launching. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weighted.h"

enum { N = 100 };

static int (*find)(const char *, void **, int, unsigned long long, void *);

static void get(const char *name, void *slot)
{
    void *symbol = 0;
    if (find(name, &symbol, 12000, 0, 0)) exit(9);
    memcpy(slot, &symbol, sizeof symbol);
}

int main(void)
{
    static const float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    static float x[N], y[N];
    int (*init)(unsigned), (*retain)(void **, int), (*set_current)(void *);
    int (*alloc)(unsigned long long *, size_t),
        (*up)(unsigned long long, const void *, size_t);
    int (*down)(void *, unsigned long long, size_t);
    void *context = 0, *library = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW);
    void *address = dlsym(library, "cuGetProcAddress_v2");
    unsigned long long from = 0, to = 0, place = 0;
    size_t bytes = 0;
    int i, status, bad = 0;
    memcpy(&find, &address, sizeof find);
    get("cuInit", &init);
    get("cuDevicePrimaryCtxRetain", &retain);
    get("cuCtxSetCurrent", &set_current);
    get("cuMemAlloc", &alloc);
    get("cuMemcpyHtoD", &up);
    get("cuMemcpyDtoH", &down);
    if (init(0) || retain(&context, 0) || set_current(context)) return 9;
    for (i = 0; i < N; i++)
        x[i] = (float)i;
    if (alloc(&from, sizeof x) || alloc(&to, sizeof y) || up(from, x, sizeof x)) return 9;
    status = weighted_variable(&place, &bytes, &weighted_configs[0], "weight");
    printf("other name: %d\n", status);
    status = weighted_variable(&place, &bytes, &weighted_configs[0], "weights");
    printf("variable: %d, %lu bytes\n", status, (unsigned long)bytes);
    if (status || up(place, weights, sizeof weights)) return 9;
    status = weighted_launch(0, N, (const float *)(size_t)from, (float *)(size_t)to);
    if (down(y, to, sizeof y)) return 9;
    for (i = 0; i < N; i++)
        bad += y[i] != (float)i * weights[i % 8];
    printf("launch: %d, wrong: %d\n", status, bad);
    return 0;
}
