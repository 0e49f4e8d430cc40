/* The time of a launch among many in a row, once the GPU has come to the clock that heat
 * and power leave it. A few launches at a time are over before that. */
#ifndef HONE_DEVICE_SUSTAINED_H
#define HONE_DEVICE_SUSTAINED_H

#include "cuda_internal.h"

/* Launch without a pause until windows of 50 ms agree within half a percent over a
 * quarter of a second, or, where the clock steps up and down, two means of four windows
 * each; for 5 s at most, 1 s of a module that was timed so before, and no longer than
 * the policy says. Gives the mean of the last four windows: kernel and the gap to the
 * next one. Launches take turns with copies of the buffers, as far as there is room, so
 * that none finds its data in L2 unless the policy has it warm. What goes wrong is the
 * fault. */
void hone_cuda_time_sustained(struct hone_device *dev, struct hone_module *module,
                              const struct hone_launch *launch,
                              const struct hone_time_policy *policy,
                              struct hone_timing *out, struct hone_fault *fault);

#endif
