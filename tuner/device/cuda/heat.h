/* Bringing a GPU to the clocks at which it is timed: an idle one runs at a fraction of
 * them (an H200 at 345 of 1980 MHz) and takes a while to rise. */
#ifndef HONE_HEAT_H
#define HONE_HEAT_H

#include "cuda_internal.h"

/* Called before timing: does nothing while the GPU was timed on within the last half
 * second. Else multiplies until three windows of 10 ms in a row agree within 1 %, for 2 s
 * at most, the later times 100 ms. A GPU that faults meanwhile is found by who uses it
 * next. */
void hone_cuda_heat(struct hone_device *dev);

/* Timing has ended just now. */
void hone_cuda_stay_hot(struct hone_device *dev);

#endif
