#include "heat.h"

#include <math.h>

#include "base/clock.h"
#include "base/log.h"

static const double idle_s = 0.5, first_us = 2e6, later_us = 1e5, window_us = 1e4;
static const double steady = 0.01;

// About 1 ms each: a round is a chain of four of 4 cycles each, and four warps on each of
// a multiprocessor's schedulers fill what one leaves idle.
enum { ROUNDS = 100000, THREADS = 256, BLOCKS_PER_SM = 2, WINDOWS = 3 };

// Kernel time of about 10 ms of launches, each as the last one seen took; negative when
// something failed.
static double run_window(struct hone_device *dev, const struct hone_launch *launch,
                         double *each_us)
{
    struct hone_cuda *cuda = dev->priv;
    const struct hone_cuda_driver *driver = cuda->driver;
    size_t n = *each_us > 0 ? (size_t)(window_us / *each_us) + 1 : 1;
    if (n > HONE_CUDA_BATCH) n = HONE_CUDA_BATCH;
    CUresult result = driver->cuEventRecord(cuda->events[0], cuda->stream);
    for (size_t i = 0; i < n && result == CUDA_SUCCESS; i++)
        result = hone_cuda_submit(cuda, cuda->own.modules[HONE_OWN_HEAT], launch);
    if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord(cuda->events[1], cuda->stream);
    double us = 0;
    result = hone_cuda_finish(cuda, result, hone_cuda_deadline(launch));
    if (result == CUDA_SUCCESS) result = hone_cuda_elapsed(cuda, 0, 1, &us);
    if (result != CUDA_SUCCESS || !(us > 0)) return -1;
    *each_us = us / (double)n;
    return us;
}

struct hone_module *hone_cuda_heater(struct hone_device *dev, const uint32_t **rounds,
                                     struct hone_launch *launch)
{
    static const size_t sizes[] = {sizeof **rounds};
    struct hone_module *heater = hone_cuda_own(dev, HONE_OWN_HEAT, NULL);
    if (!heater) return NULL;
    *launch = (struct hone_launch){
        .grid = {(uint32_t)dev->limits.sm_count * BLOCKS_PER_SM, 1, 1},
        .block = {THREADS, 1, 1},
        .params = (const void *const *)rounds,
        .param_sizes = sizes,
        .param_count = 1,
    };
    return heater;
}

bool hone_cuda_is_hot(const struct hone_device *dev)
{
    const struct hone_cuda *cuda = dev->priv;
    return hone_clock_seconds() < cuda->hot_until_s;
}

void hone_cuda_heat(struct hone_device *dev)
{
    const struct hone_cuda *cuda = dev->priv;
    const bool first = cuda->hot_until_s <= 0;
    const uint32_t rounds = ROUNDS, *argument = &rounds;
    struct hone_launch launch;
    if (hone_cuda_is_hot(dev)) return;
    if (!hone_cuda_heater(dev, &argument, &launch)) return;
    const double limit_us = first ? first_us : later_us;
    double each_us = 0, last_us = 0, spent_us = 0;
    for (int agreed = 0; agreed < WINDOWS && spent_us < limit_us;) {
        const double took_us = run_window(dev, &launch, &each_us);
        if (took_us < 0) return;
        agreed = fabs(each_us - last_us) <= steady * last_us ? agreed + 1 : 0;
        last_us = each_us;
        spent_us += took_us;
    }
    if (first && spent_us >= limit_us)
        hone_log(HONE_LOG_WARNING, "%s: clocks are not steady after %.3g s of work",
                 dev->id, spent_us * 1e-6);
}

void hone_cuda_stay_hot(struct hone_device *dev)
{
    struct hone_cuda *cuda = dev->priv;
    cuda->hot_until_s = hone_clock_seconds() + idle_s;
}
