// Waiting for what was queued. The stream and its events are polled: a call that blocks
// in the driver would never come back from a kernel that never ends.
#include <time.h>

#include "base/clock.h"
#include "cuda_internal.h"

// Far above any launch that is worth tuning; evaluators set their own.
static const double default_deadline_s = 30;

// Launches in a row may take so many times what they took before: a GPU that idled is
// five times as slow.
static const double slack = 10;

// Most launches end within a millisecond: spin for that long, then leave the core to the
// compilers.
static const double spin_s = 1e-3;
static const struct timespec nap = {.tv_nsec = 50000};

double hone_cuda_deadline(const struct hone_launch *launch)
{
    return launch->deadline_s > 0 ? launch->deadline_s : default_deadline_s;
}

double hone_cuda_row_deadline(const struct hone_launch *launch, size_t count,
                              double each_us)
{
    return hone_cuda_deadline(launch) + slack * (double)count * each_us * 1e-6;
}

CUresult hone_cuda_wait_for(struct hone_cuda *cuda, CUevent event, double deadline_s)
{
    const struct hone_cuda_driver *driver = cuda->driver;
    const double start = hone_clock_seconds();
    for (;;) {
        const CUresult result =
            event ? driver->cuEventQuery(event) : driver->cuStreamQuery(cuda->stream);
        if (result != CUDA_ERROR_NOT_READY) return result;
        const double waited = hone_clock_seconds() - start;
        if (waited > deadline_s) return CUDA_ERROR_NOT_READY;
        if (waited > spin_s) nanosleep(&nap, NULL);
    }
}

CUresult hone_cuda_wait(struct hone_cuda *cuda, double deadline_s)
{
    return hone_cuda_wait_for(cuda, NULL, deadline_s);
}

CUresult hone_cuda_finish(struct hone_cuda *cuda, CUresult queued, double deadline_s)
{
    if (queued == CUDA_ERROR_NOT_READY) return queued;
    const CUresult waited = hone_cuda_wait(cuda, deadline_s);
    return waited == CUDA_SUCCESS ? queued : waited;
}

CUresult hone_cuda_elapsed(struct hone_cuda *cuda, size_t from, size_t to, double *us)
{
    float ms = 0;
    const CUresult result =
        cuda->driver->cuEventElapsedTime(&ms, cuda->events[from], cuda->events[to]);
    *us = (double)ms * 1e3;
    return result;
}
