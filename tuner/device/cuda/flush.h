/* Emptying L2 before a timed launch, and leaving it clean: lines that were written to
 * cost the kernel that evicts them a write to memory. So a buffer is filled, which evicts
 * all that was there, and then another one is read, which evicts what was filled. */
#ifndef HONE_DEVICE_FLUSH_H
#define HONE_DEVICE_FLUSH_H

#include "cuda_internal.h"

/* Have the buffers at hand. ELIMIT when there is no room for them. */
enum hone_status hone_cuda_prepare_flush(struct hone_device *dev, struct hone_error *err);

/* Give the lines that kernels keep in L2 (evict_last and other policies), and that a
 * flush leaves there, the rank of all others. Waits until the stream is idle, since this
 * acts at once and not in the order of the stream; CUDA_ERROR_NOT_READY after
 * deadline_s. A GPU that refuses goes without from then on, with a warning, unless it has
 * no such lines (NOT_SUPPORTED). */
CUresult hone_cuda_forget_lines(struct hone_device *dev, double deadline_s);

/* Queue one flush; byte changes what is written, which no compression may foresee. */
CUresult hone_cuda_flush(struct hone_device *dev, unsigned char byte);

#endif
