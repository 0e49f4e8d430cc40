#include "counted.h"

#include <stdio.h>

#include "evaluate/runner.h"

static enum hone_status arm_again(void *context, struct hone_error *err)
{
    return hone_timed_restore(context, err);
}

enum hone_status hone_count_launch(struct hone_timed_job *at,
                                   struct hone_counted *counters,
                                   struct hone_fault *fault, struct hone_error *err)
{
    const struct hone_evaluate_options *options = &at->runner->plan->options;
    struct hone_device *device = at->runner->device;
    const struct hone_count_policy policy = {
        .light = !(options->flags & HONE_EVALUATE_COUNT_ALL),
        .warm_cache = options->policy.warm_cache,
        .arm = arm_again,
        .context = at};
    const struct hone_launch launch =
        hone_buffers_launch(at->buffers, at->kernel.job, at->runner->deadline_s);
    if (device->fns->count)
        return device->fns->count(device, at->kernel.module, &launch, &policy, counters,
                                  fault, err);
    fault->outcome = HONE_LAUNCH_FAILED;
    snprintf(fault->reason, sizeof fault->reason,
             "%s has no counters of hardware: `hone explain` has the emulator's counts",
             device->id);
    return HONE_OK;
}
