/* What a CUresult means for a configuration and for the process. */
#ifndef HONE_DEVICE_CUDA_RESULT_H
#define HONE_DEVICE_CUDA_RESULT_H

#include "cuda_driver.h"
#include "hone/device.h"

/* Is the context (and with it the process) of no more use after this result? The header
 * text of these results in cuda.h asks for the process to be ended. */
bool hone_cuda_is_sticky(CUresult result);

/* Describe a failed load or launch: outcome, stickiness and "NAME (code): text". Results
 * that say nothing about the configuration are taken as a crash, which costs a device and
 * never misleads. */
void hone_cuda_fault(struct hone_fault *fault, const struct hone_cuda_driver *driver,
                     CUresult result);

/* "NAME (code): text" in a buffer; returns the buffer. */
const char *hone_cuda_text(char *out, size_t cap, const struct hone_cuda_driver *driver,
                           CUresult result);

#endif
