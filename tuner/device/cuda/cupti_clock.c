// Kernel durations from CUPTI's activity interface. Records come in buffers through
// callbacks that may run on a thread of CUPTI's; everything they touch is in one static
// object, since the callbacks carry no context.
#include "cupti_clock.h"

#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "build/library.h"

/* clang-format off */
#define CUPTI_LIST(X)                                                                    \
    X(cuptiGetVersion)                                                                   \
    X(cuptiGetResultString)                                                              \
    X(cuptiGetContextId)                                                                 \
    X(cuptiGetTimestamp)                                                                 \
    X(cuptiActivityRegisterCallbacks)                                                    \
    X(cuptiActivityEnable)                                                               \
    X(cuptiActivityDisable)                                                              \
    X(cuptiActivityFlushAll)                                                             \
    X(cuptiActivityGetNextRecord)                                                        \
    X(cuptiActivityGetNumDroppedRecords)
/* clang-format on */

static struct {
    struct hone_error error; // why opening failed
#define CUPTI_FIELD(name) __typeof__(name) *name;
    CUPTI_LIST(CUPTI_FIELD)
#undef CUPTI_FIELD
    pthread_mutex_t batch;   // held from begin to end, and over a pause
    bool recording;          // guarded by it
    pthread_mutex_t records; // guards what follows
    const char *kernel;      // NULL: nobody collects
    uint32_t context;
    uint64_t since; // ns; a launch of the batch starts later
    uint32_t grid[3], block[3];
    size_t count;
    double us[HONE_CUPTI_BATCH];
} cupti = {.batch = PTHREAD_MUTEX_INITIALIZER, .records = PTHREAD_MUTEX_INITIALIZER};

// Version 18 is CUDA 12.0, the first whose kernel records begin like
// CUpti_ActivityKernel9. Fields are only ever appended, so newer records are read through
// the same type.
enum { LEAST_VERSION = 18 };
typedef CUpti_ActivityKernel9 kernel_record;

// CUPTI's guide advises 1 to 10 MB, aligned to 8 bytes; a batch of 64 records needs 14
// kB.
enum { BUFFER_BYTES = 1 << 20 };

enum { FLUSHES = 20 }; // 2 ms of them, then by force

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *buffer = malloc(BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *max_records = 0; // as many as fit
}

static bool is_shape(const uint32_t wanted[3], int32_t x, int32_t y, int32_t z)
{
    return (uint32_t)x == wanted[0] && (uint32_t)y == wanted[1] &&
           (uint32_t)z == wanted[2];
}

// The record is of this batch: configurations share the kernel's name, and a flush may
// withhold records of launches that were not to be timed until now.
static bool is_wanted(const kernel_record *record)
{
    return cupti.kernel && record->contextId == cupti.context && record->name &&
           strcmp(record->name, cupti.kernel) == 0 && record->start >= cupti.since &&
           is_shape(cupti.grid, record->gridX, record->gridY, record->gridZ) &&
           is_shape(cupti.block, record->blockX, record->blockY, record->blockZ);
}

// A record without timestamps was not measured: both are 0 then.
static void cupti_clock_keep(const kernel_record *record)
{
    if (!is_wanted(record) || record->end <= record->start) return;
    if (cupti.count == HONE_CUPTI_BATCH) return;
    cupti.us[cupti.count++] = (double)(record->end - record->start) * 1e-3;
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer,
                                 size_t size, size_t valid)
{
    (void)size;
    pthread_mutex_lock(&cupti.records);
    CUpti_Activity *record = NULL;
    while (cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
            record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
            cupti_clock_keep((const kernel_record *)(const void *)record);
    pthread_mutex_unlock(&cupti.records);
    size_t dropped = 0;
    cupti.cuptiActivityGetNumDroppedRecords(context, stream, &dropped);
    if (dropped) hone_log(HONE_LOG_INFO, "CUPTI dropped %zu records", dropped);
    free(buffer);
}

static enum hone_status failed(enum hone_status status, const char *call,
                               CUptiResult result, struct hone_error *err)
{
    const char *text = NULL;
    cupti.cuptiGetResultString(result, &text);
    if (result == CUPTI_ERROR_OUT_OF_MEMORY) status = HONE_ENOMEM;
    return hone_fail(err, status, "%s failed: %s (%d)%s", call,
                     text ? text : "CUPTI error", (int)result,
                     result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
                         ? ", another profiler is attached"
                         : "");
}

static enum hone_status cupti_clock_bind(void *library, struct hone_error *err)
{
    static const struct {
        const char *name;
        void *slot;
    } rows[] = {
#define CUPTI_ROW(name) {#name, &cupti.name},
        CUPTI_LIST(CUPTI_ROW)
#undef CUPTI_ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *symbol = dlsym(library, rows[i].name);
        if (!symbol)
            return hone_fail(err, HONE_ENODEVICE, "CUPTI lacks %s", rows[i].name);
        memcpy(rows[i].slot, &symbol, sizeof symbol);
    }
    return HONE_OK;
}

// Not KIND_KERNEL, which serialises launches.
static CUptiResult record_kernels(void)
{
    if (cupti.recording) return CUPTI_SUCCESS;
    const CUptiResult result =
        cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cupti.recording = result == CUPTI_SUCCESS;
    return result;
}

static enum hone_status start_recording(struct hone_error *err)
{
    uint32_t version = 0;
    CUptiResult result = cupti.cuptiGetVersion(&version);
    if (result != CUPTI_SUCCESS)
        return failed(HONE_ENODEVICE, "cuptiGetVersion", result, err);
    if (version < LEAST_VERSION)
        return hone_fail(err, HONE_ENODEVICE,
                         "CUPTI has version %u, %d (CUDA 12) is needed", version,
                         LEAST_VERSION);
    result = cupti.cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    if (result != CUPTI_SUCCESS)
        return failed(HONE_ENODEVICE, "cuptiActivityRegisterCallbacks", result, err);
    result = record_kernels();
    if (result != CUPTI_SUCCESS)
        return failed(HONE_ENODEVICE, "cuptiActivityEnable", result, err);
    return HONE_OK;
}

static void open_once(void)
{
    static const struct hone_library where = {
        .what = "CUPTI",
        .environment = "HONE_CUPTI",
        .sonames = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"},
    };
    void *library = NULL;
    if (hone_library_open(&library, &where, NULL, &cupti.error) != HONE_OK) return;
    if (cupti_clock_bind(library, &cupti.error) == HONE_OK) start_recording(&cupti.error);
}

enum hone_status hone_cupti_open(const struct hone_cuda_driver *driver,
                                 struct hone_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    // CUPTI opens libcuda.so.1 by itself and calls into it; without this interface it
    // would crash.
    if (!hone_cuda_driver_profilable(driver))
        return hone_fail(err, HONE_ENODEVICE, "the driver offers nothing to CUPTI");
    pthread_once(&once, open_once);
    return hone_error_pass(err, cupti.error.code, &cupti.error);
}

static void cupti_clock_collect(const char *kernel, const struct hone_launch *launch,
                                uint32_t context, uint64_t since)
{
    pthread_mutex_lock(&cupti.records);
    cupti.kernel = kernel;
    cupti.context = context;
    cupti.since = since;
    memcpy(cupti.grid, launch->grid, sizeof cupti.grid);
    memcpy(cupti.block, launch->block, sizeof cupti.block);
    cupti.count = 0;
    pthread_mutex_unlock(&cupti.records);
}

enum hone_status hone_cupti_begin(CUcontext context, const char *kernel,
                                  const struct hone_launch *launch,
                                  struct hone_error *err)
{
    pthread_mutex_lock(&cupti.batch);
    uint32_t id = 0;
    uint64_t now = 0;
    CUptiResult result = cupti.cuptiGetContextId(context, &id);
    if (result == CUPTI_SUCCESS) result = record_kernels();
    if (result == CUPTI_SUCCESS) result = cupti.cuptiActivityFlushAll(0);
    if (result == CUPTI_SUCCESS) result = cupti.cuptiGetTimestamp(&now);
    if (result != CUPTI_SUCCESS) {
        pthread_mutex_unlock(&cupti.batch);
        return failed(HONE_EDEVICE, "beginning a batch of CUPTI records", result, err);
    }
    cupti_clock_collect(kernel, launch, id, now);
    return HONE_OK;
}

static size_t recorded(void)
{
    pthread_mutex_lock(&cupti.records);
    size_t count = cupti.count;
    pthread_mutex_unlock(&cupti.records);
    return count;
}

// CUPTI keeps a buffer until all its records have their timestamps, which it reads some
// time after the kernels have ended; by force it gives them without.
static CUptiResult flush(size_t wanted)
{
    const struct timespec nap = {.tv_nsec = 100000};
    CUptiResult result = cupti.cuptiActivityFlushAll(0);
    for (int i = 1; i < FLUSHES && result == CUPTI_SUCCESS && recorded() < wanted; i++) {
        nanosleep(&nap, NULL);
        result = cupti.cuptiActivityFlushAll(0);
    }
    if (result == CUPTI_SUCCESS && recorded() < wanted)
        result = cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    return result;
}

enum hone_status hone_cupti_end(double *durations_us, size_t cap, size_t *count,
                                struct hone_error *err)
{
    CUptiResult result = cap ? flush(cap) : CUPTI_SUCCESS;
    *count = recorded();
    if (*count > cap) *count = cap;
    memcpy(durations_us, cupti.us, *count * sizeof *durations_us);
    cupti_clock_collect(NULL, &(struct hone_launch){.grid = {0}}, 0, 0);
    pthread_mutex_unlock(&cupti.batch);
    if (result != CUPTI_SUCCESS)
        return failed(HONE_EDEVICE, "cuptiActivityFlushAll", result, err);
    return HONE_OK;
}

void hone_cupti_pause(void)
{
    pthread_mutex_lock(&cupti.batch);
    if (!cupti.recording) return;
    const CUptiResult result =
        cupti.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    cupti.recording = result != CUPTI_SUCCESS;
    if (cupti.recording)
        hone_log(HONE_LOG_INFO, "CUPTI goes on recording: cuptiActivityDisable gave %d",
                 (int)result);
}

void hone_cupti_resume(void)
{
    pthread_mutex_unlock(&cupti.batch);
}
