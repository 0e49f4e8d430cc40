#include "cupti_host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "build/library.h"

static struct {
    struct hone_error error; // why opening failed
    struct hone_cupti_host calls;
} host;

// CUPTI opens libnvperf_host by its plain name, which the loader only finds where it is
// loaded already, unless the toolkit is in its path.
static void load_companion(void)
{
    static const struct hone_library where = {
        .what = "libnvperf_host",
        .environment = "HONE_NVPERF",
        .sonames = {"libnvperf_host.so"},
    };
    struct hone_error none = {0};
    void *library;
    hone_library_open(&library, &where, NULL, &none);
}

static enum hone_status bind_calls(void *library, struct hone_error *err)
{
    const struct {
        const char *name;
        void *slot;
    } rows[] = {{"cuptiProfilerHostInitialize", &host.calls.initialize},
                {"cuptiProfilerHostDeinitialize", &host.calls.deinitialize},
                {"cuptiProfilerHostGetMetricProperties", &host.calls.properties},
                {"cuptiProfilerHostConfigAddMetrics", &host.calls.add_metrics},
                {"cuptiProfilerHostGetConfigImageSize", &host.calls.image_size},
                {"cuptiProfilerHostGetConfigImage", &host.calls.image},
                {"cuptiProfilerHostGetNumOfPasses", &host.calls.passes}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *symbol = dlsym(library, rows[i].name);
        if (!symbol)
            return hone_fail(err, HONE_ENODEVICE,
                             "CUPTI lacks %s: that of CUDA 12.6 or later is needed",
                             rows[i].name);
        memcpy(rows[i].slot, &symbol, sizeof symbol);
    }
    return HONE_OK;
}

enum hone_status hone_cupti_library(void **out, struct hone_error *err)
{
    static const struct hone_library where = {
        .what = "CUPTI",
        .environment = "HONE_CUPTI",
        .sonames = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"},
    };
    load_companion();
    return hone_library_open(out, &where, NULL, err);
}

static void open_host(void)
{
    void *library = NULL;
    if (hone_cupti_library(&library, &host.error) == HONE_OK)
        bind_calls(library, &host.error);
}

enum hone_status hone_cupti_host_open(const struct hone_cupti_host **out,
                                      struct hone_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_host);
    *out = &host.calls;
    return hone_error_pass(err, host.error.code, &host.error);
}
