#include "fill_threads.h"

#include <pthread.h>
#include <unistd.h>

#include "element.h"

// A thread costs some 20 us, and an element a few ns.
enum { SLICE_LEAST = 1 << 16, THREADS_MOST = 32 };

struct slice {
    const struct hone_job_arg *arg;
    uint64_t seed, first;
    size_t count;
    unsigned char *out;
    pthread_t thread;
    bool started;
};

static void *fill_slice(void *context)
{
    const struct slice *slice = context;
    hone_element_fill(slice->arg, slice->seed, slice->first, slice->count, slice->out);
    return NULL;
}

static size_t slices_of(size_t count)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t slices = cores > 1 ? (size_t)cores : 1;
    if (slices > THREADS_MOST) slices = THREADS_MOST;
    const size_t most = count / SLICE_LEAST + 1;
    return slices < most ? slices : most;
}

// The first slice is the caller's, and so is each that gets no thread.
void hone_fill_by_threads(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                          size_t count, void *out)
{
    struct slice slices[THREADS_MOST];
    const size_t n = slices_of(count), size = hone_dtype_size(arg->dtype);
    for (size_t i = 0; i < n; i++) {
        const size_t from = count / n * i, to = i + 1 < n ? count / n * (i + 1) : count;
        slices[i] = (struct slice){.arg = arg,
                                   .seed = seed,
                                   .first = first + from,
                                   .count = to - from,
                                   .out = (unsigned char *)out + from * size};
    }
    for (size_t i = 1; i < n; i++)
        slices[i].started =
            pthread_create(&slices[i].thread, NULL, fill_slice, &slices[i]) == 0;
    for (size_t i = 0; i < n; i++)
        if (!slices[i].started) fill_slice(&slices[i]);
    for (size_t i = 1; i < n; i++)
        if (slices[i].started) pthread_join(slices[i].thread, NULL);
}
