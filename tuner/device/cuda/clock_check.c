// The clock against another one, on a short and on a longer kernel: who tunes short
// kernels should know what a time holds besides the kernel.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/log.h"
#include "heat.h"

// Events are compared with a graph, which has their cost once for many launches.
static enum hone_clock other_clock(enum hone_clock clock)
{
    return clock == HONE_CLOCK_EVENT ? HONE_CLOCK_GRAPH : HONE_CLOCK_EVENT;
}

static const struct hone_time_policy policy = {.min_samples = 11,
                                               .max_samples = 33,
                                               .target_rel_ci = 0.005,
                                               .budget_ms = 30,
                                               .warm_cache = true};

// Some 2 us and 400 us of kernel.
static const struct {
    const char *what;
    uint32_t rounds;
} probes[] = {{"a short kernel", 200}, {"a longer one", 50000}};

// A difference that matters: more than an event pair adds to a launch that CUPTI watches,
// and 5 % of a longer time.
static bool differ(double a_us, double b_us)
{
    return fabs(a_us - b_us) > fmax(5, 0.05 * fmin(a_us, b_us));
}

static double time_by(struct hone_device *dev, enum hone_clock clock, uint32_t rounds)
{
    struct hone_cuda *cuda = dev->priv;
    const enum hone_clock kept = dev->clock;
    const bool differed = cuda->clocks_differ;
    const uint32_t *argument = &rounds;
    struct hone_launch launch;
    struct hone_timing timing = {.time_us = (double)NAN};
    struct hone_fault fault;
    struct hone_module *heater = hone_cuda_heater(dev, &argument, &launch);
    if (!heater) return (double)NAN;
    dev->clock = clock;
    cuda->clocks_differ = true; // said below, and better
    enum hone_status status =
        hone_cuda_time(dev, heater, &launch, &policy, &timing, &fault, NULL);
    dev->clock = kept;
    cuda->clocks_differ = differed;
    return status == HONE_OK && fault.outcome == HONE_VALID ? timing.time_us
                                                            : (double)NAN;
}

void hone_cuda_check_clock(struct hone_device *dev)
{
    const enum hone_clock other = other_clock(dev->clock);
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        const double us = time_by(dev, dev->clock, probes[i].rounds);
        const double other_us = time_by(dev, other, probes[i].rounds);
        const size_t len = strlen(dev->clock_note);
        char *note = dev->clock_note + len;
        if (!differ(us, other_us)) continue; // nor where one could not be had
        hone_snprintf(note, sizeof dev->clock_note - len,
                      "%s%s takes %.4g us by %s, %.4g by %s", len ? "; " : "",
                      probes[i].what, us, hone_clock_name(dev->clock), other_us,
                      hone_clock_name(other));
        hone_log(HONE_LOG_WARNING, "%s: %s", dev->id, note + (len ? 2 : 0));
    }
}
