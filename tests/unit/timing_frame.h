/* What the suites of timing share: a kernel on the fake driver. */
#ifndef TIMING_FRAME_H
#define TIMING_FRAME_H

#include <math.h>
#include <sys/wait.h>
#include <time.h>

#include "hone_test.h"

#include "base/clock.h"
#include "base/log.h"
#include "fake/fake_use.h"
#include "sampling.h"

static const struct hone_launch one_block = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

static inline struct hone_timing time_kernel(struct hone_device *dev,
                                             struct hone_module *module,
                                             const struct hone_time_policy *policy,
                                             struct hone_fault *fault)
{
    struct hone_error err = {0};
    struct hone_timing timing;
    assert_ok(dev->fns->time(dev, module, &one_block, policy, &timing, fault, &err), err);
    return timing;
}

// Times "k" on a fake of this configuration with the default policy.
static inline struct hone_timing time_on(const char *config, struct hone_fault *fault)
{
    struct hone_module *module = NULL;
    struct hone_device *dev = fake_open(config, &module);
    struct hone_timing timing =
        time_kernel(dev, module, &hone_time_policy_default, fault);
    dev->fns->unload(dev, module);
    hone_device_close(dev);
    return timing;
}

static inline double metric(const struct hone_timing *timing, const char *name)
{
    for (size_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    return (double)NAN;
}

static char last_warning[512];

static inline void keep_warning(void *context, enum hone_log_level level,
                                const char *line)
{
    (void)context;
    if (level == HONE_LOG_WARNING)
        snprintf(last_warning, sizeof last_warning, "%s", line);
}

#endif
