/* Bringing a GPU to the clocks at which it is timed: an idle one runs at a fraction of
 * them (an H200 at 345 of 1980 MHz) and takes a while to rise. */
#ifndef HONE_DEVICE_HEAT_H
#define HONE_DEVICE_HEAT_H

#include "cuda_internal.h"

/* Called before timing: does nothing while the GPU was timed on within the last half
 * second. Else multiplies until three windows of 10 ms in a row agree within 1 %, for 2 s
 * at most, the later times 100 ms. A GPU that faults meanwhile is found by who uses it
 * next. */
void hone_cuda_heat(struct hone_device *dev);

/* Was the GPU timed on within the last half second? */
bool hone_cuda_is_hot(const struct hone_device *dev);

/* The kernel that heats, a dependent chain of multiply-adds of as many rounds (some 10 ns
 * each) in each of two blocks a multiprocessor. The launch borrows *rounds, which
 * points to the argument. NULL, and no launch, where it cannot be loaded. */
struct hone_module *hone_cuda_heater(struct hone_device *dev, const uint32_t **rounds,
                                     struct hone_launch *launch);

/* Timing has ended just now. */
void hone_cuda_stay_hot(struct hone_device *dev);

#endif
