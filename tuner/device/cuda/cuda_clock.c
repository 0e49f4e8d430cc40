// Which clock a GPU is timed by. CUPTI has to prove itself on a probe kernel first, so
// that a profiler that is present but does not record is found when the device is opened.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cuda_internal.h"
#include "cuda_result.h"
#include "cupti_clock.h"

enum { PROBES = 3 };

static const struct hone_launch probe_launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

static CUresult launch_probes(struct hone_cuda *cuda, struct hone_module *module)
{
    CUresult result = CUDA_SUCCESS;
    for (int i = 0; i < PROBES && result == CUDA_SUCCESS; i++)
        result = hone_cuda_submit(cuda, module, &probe_launch);
    return hone_cuda_finish(cuda, result, hone_cuda_deadline(&probe_launch));
}

static enum hone_status record_probes(struct hone_device *dev, struct hone_module *module,
                                      struct hone_error *why)
{
    struct hone_cuda *cuda = dev->priv;
    double us[PROBES];
    size_t count = 0;
    enum hone_status status =
        hone_cupti_begin(cuda->context, module->name, &probe_launch, why);
    if (status != HONE_OK) return status;
    CUresult result = launch_probes(cuda, module);
    status = hone_cupti_end(us, result == CUDA_SUCCESS ? PROBES : 0, &count, why);
    if (result != CUDA_SUCCESS)
        return hone_cuda_broken(dev, "the probe kernel", result, why);
    if (status == HONE_OK && count != PROBES)
        return hone_fail(why, HONE_ENODEVICE, "CUPTI recorded %zu of %d launches", count,
                         PROBES);
    return status;
}

static enum hone_status try_cupti(struct hone_device *dev, struct hone_error *why)
{
    struct hone_cuda *cuda = dev->priv;
    enum hone_status status = hone_cupti_open(cuda->driver, why);
    if (status != HONE_OK) return status;
    struct hone_module *probe = hone_cuda_own(dev, HONE_OWN_PROBE, why);
    return probe ? record_probes(dev, probe, why) : HONE_ENODEVICE;
}

// What the caller insists on, else what the environment does; NONE: nobody insists.
static enum hone_status find_wish(const struct hone_device *dev, enum hone_clock *out,
                                  struct hone_error *err)
{
    const char *wish = getenv("HONE_CLOCK");
    *out = dev->clock;
    if (dev->clock || !wish || !*wish) return HONE_OK;
    if (hone_clock_parse(out, wish) == HONE_OK) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "HONE_CLOCK is '%s', it can be auto, cupti, event or graph", wish);
}

enum hone_status hone_cuda_choose_clock(struct hone_device *dev, struct hone_error *err)
{
    enum hone_clock wish;
    enum hone_status status = find_wish(dev, &wish, err);
    if (status != HONE_OK) return status;
    dev->clock = wish ? wish : HONE_CLOCK_EVENT;
    // No other profiler can have the process then: opened only when wanted.
    if (wish && wish != HONE_CLOCK_CUPTI) return HONE_OK;
    struct hone_error why = {0};
    if (try_cupti(dev, &why) == HONE_OK) {
        dev->clock = HONE_CLOCK_CUPTI;
        return HONE_OK;
    }
    if (wish)
        return hone_fail(err, HONE_ENODEVICE, "no clock 'cupti' here: %s", why.text);
    hone_log(HONE_LOG_WARNING, "%s is timed with events, which include the launch: %s",
             dev->id, why.text);
    snprintf(dev->clock_note, sizeof dev->clock_note, "cupti was refused: %.200s",
             why.text);
    return HONE_OK;
}
