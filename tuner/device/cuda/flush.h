/* Emptying L2 before a timed launch, and leaving it clean: lines that were written to
 * cost the kernel that evicts them a write to memory. So a buffer is filled, which evicts
 * all that was there, and then another one is read, which evicts what was filled. */
#ifndef HONE_FLUSH_H
#define HONE_FLUSH_H

#include "cuda_internal.h"

/* Have the buffers at hand. ELIMIT when there is no room for them. */
enum hone_status hone_cuda_prepare_flush(struct hone_device *dev, struct hone_error *err);

/* Queue one flush; byte changes what is written, which no compression may foresee. */
CUresult hone_cuda_flush(struct hone_device *dev, unsigned char byte);

#endif
