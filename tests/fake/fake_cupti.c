// A libcupti for the fake libcuda: the activity functions hone uses, fed by the fake's
// launches. Records lie in buffers that are asked for and given back as CUPTI does it: on
// a flush, and one that is full at once; on a thread of its own where that is wanted.
#include <cupti.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "fake_delay.h"

enum { PENDING_MAX = 4096, CONTEXT_ID = 7 }; // as many as a buffer of 1 MB holds

static struct {
    CUpti_BuffersCallbackRequestFunc request;
    CUpti_BuffersCallbackCompleteFunc complete;
    CUpti_ActivityKernel9 pending[PENDING_MAX];
    size_t count, flushes; // since there was something to give
    pthread_t thread;      // delivers; where threaded
    bool threaded;
    fake_cuda_must_not_hang *must_not_hang;
    fake_cuda_whole *whole;
    fake_cuda_now *now;
} fake;

// Records on their way to who asked for them.
struct delivery {
    CUptiResult result;
    size_t count;
    CUpti_ActivityKernel9 records[];
};

// In as many buffers as they need.
static void *deliver(void *context)
{
    struct delivery *delivery = context;
    for (size_t done = 0, n; done < delivery->count; done += n) {
        uint8_t *buffer = NULL;
        size_t size = 0, most = 0;
        fake.request(&buffer, &size, &most);
        n = size / sizeof *delivery->records;
        if (n == 0) {
            delivery->result = CUPTI_ERROR_OUT_OF_MEMORY;
            break;
        }
        if (n > delivery->count - done) n = delivery->count - done;
        memcpy(buffer, delivery->records + done, n * sizeof *delivery->records);
        fake.complete(NULL, 0, buffer, size, n * sizeof *delivery->records);
    }
    return delivery;
}

static CUptiResult end_thread(void)
{
    void *delivery = NULL;
    if (!fake.threaded) return CUPTI_SUCCESS;
    fake.threaded = false;
    pthread_join(fake.thread, &delivery);
    const CUptiResult result = ((struct delivery *)delivery)->result;
    free(delivery);
    return result;
}

// Hand over the first records, on a thread that nobody waits for where that is wanted.
static CUptiResult give(size_t given)
{
    if (!given) return CUPTI_SUCCESS;
    CUptiResult result = end_thread();
    const size_t bytes = given * sizeof *fake.pending;
    struct delivery *delivery = calloc(1, sizeof *delivery + bytes);
    if (!delivery) return CUPTI_ERROR_OUT_OF_MEMORY;
    delivery->count = given;
    memcpy(delivery->records, fake.pending, bytes);
    fake.count -= given;
    memmove(fake.pending, fake.pending + given, fake.count * sizeof *fake.pending);
    if (fake.whole && fake.whole("thread")) {
        fake.threaded = pthread_create(&fake.thread, NULL, deliver, delivery) == 0;
        if (fake.threaded) return result;
    }
    deliver(delivery);
    if (result == CUPTI_SUCCESS) result = delivery->result;
    free(delivery);
    return result;
}

static void record(const char *kernel, const struct fake_cuda_launch *launch,
                   uint64_t start, uint64_t end)
{
    const int32_t grid[] = {(int32_t)launch->grid[0], (int32_t)launch->grid[1],
                            (int32_t)launch->grid[2]};
    const int32_t block[] = {(int32_t)launch->block[0], (int32_t)launch->block[1],
                             (int32_t)launch->block[2]};
    if (fake.count == PENDING_MAX) give(fake.count);
    fake.pending[fake.count++] =
        (CUpti_ActivityKernel9){.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                .contextId = CONTEXT_ID,
                                .name = kernel,
                                .gridX = grid[0],
                                .gridY = grid[1],
                                .gridZ = grid[2],
                                .blockX = block[0],
                                .blockY = block[1],
                                .blockZ = block[2],
                                .start = start,
                                .end = end};
}

#define EXPORT __attribute__((visibility("default")))

EXPORT CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version)
{
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **text)
{
    *text = result == CUPTI_SUCCESS ? "CUPTI_SUCCESS" : "CUPTI_ERROR_OF_THE_FAKE";
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiGetContextId(CUcontext context, uint32_t *id)
{
    *id = CONTEXT_ID;
    return context ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_CONTEXT;
}

EXPORT CUptiResult CUPTIAPI cuptiGetTimestamp(uint64_t *timestamp)
{
    *timestamp = fake.now ? fake.now() : 0;
    return fake.now ? CUPTI_SUCCESS : CUPTI_ERROR_NOT_INITIALIZED;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(
    CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    fake.request = request;
    fake.complete = complete;
    return CUPTI_SUCCESS;
}

// A function of the fake driver, which the process has opened already.
static bool find(const char *name, void *slot)
{
    void *driver = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
    if (!driver) return false;
    CUresult (*get)(const char *, void **, int, cuuint64_t, void *);
    void *symbol = dlsym(driver, "cuGetProcAddress_v2");
    memcpy(&get, &symbol, sizeof get);
    CUresult found = get(name, &symbol, 0, 0, NULL);
    memcpy(slot, &symbol, sizeof symbol);
    dlclose(driver);
    return found == CUDA_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind)
{
    fake_cuda_on_kernel *on_kernel = NULL;
    if (kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return CUPTI_ERROR_INVALID_KIND;
    if (!find("fake_cuda_on_kernel", &on_kernel)) return CUPTI_ERROR_UNKNOWN;
    if (!find("fake_cuda_must_not_hang", &fake.must_not_hang)) return CUPTI_ERROR_UNKNOWN;
    if (!find("fake_cuda_whole", &fake.whole)) return CUPTI_ERROR_UNKNOWN;
    if (!find("fake_cuda_now", &fake.now)) return CUPTI_ERROR_UNKNOWN;
    return (CUptiResult)on_kernel(record);
}

EXPORT CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind)
{
    fake_cuda_on_kernel *on_kernel = NULL;
    if (kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return CUPTI_ERROR_INVALID_KIND;
    if (!find("fake_cuda_on_kernel", &on_kernel)) return CUPTI_ERROR_UNKNOWN;
    on_kernel(NULL);
    return CUPTI_SUCCESS;
}

static bool is_late(void)
{
    return fake.whole && ++fake.flushes < (size_t)fake.whole("late");
}

// Of the pending records, those that a flush gives.
static size_t given_records(uint32_t flag)
{
    const size_t held = fake.whole ? (size_t)fake.whole("held") : 0;
    if (flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED) return fake.count;
    return fake.count > held ? fake.count - held : 0;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flag)
{
    if (fake.must_not_hang) fake.must_not_hang("cuptiActivityFlushAll");
    fake_delay("flush");
    if (fake.count && is_late()) {
        if (!(flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED)) return CUPTI_SUCCESS;
        for (size_t i = 0; i < fake.count; i++)
            fake.pending[i].start = fake.pending[i].end = 0;
    }
    fake.flushes = 0;
    const CUptiResult result = give(given_records(flag));
    const CUptiResult ended =
        flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED ? end_thread() : CUPTI_SUCCESS;
    return result == CUPTI_SUCCESS ? ended : result;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid,
                                                       CUpti_Activity **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + sizeof *fake.pending : buffer;
    if (next + sizeof *fake.pending > buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = (CUpti_Activity *)(void *)next;
    return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext context,
                                                              uint32_t stream,
                                                              size_t *dropped)
{
    (void)context;
    (void)stream;
    *dropped = 0;
    return CUPTI_SUCCESS;
}
