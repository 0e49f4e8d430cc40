/* cuda:N, a GPU behind the driver API. This header is for the registry (no CUDA types);
 * what the files of this folder share is in cuda_internal.h. */
#ifndef HONE_DEVICE_CUDA_DEVICE_H
#define HONE_DEVICE_CUDA_DEVICE_H

#include "hone/device.h"

extern const struct hone_device_fns hone_device_cuda;

/* The number of GPUs; ENODEVICE when there is no driver or no GPU. */
enum hone_status hone_cuda_count(int *out, struct hone_error *err);

/* Limits of cuda:spec, asked from the driver without making a context. */
enum hone_status hone_cuda_limits(struct hone_limits *out, const char *spec,
                                  struct hone_error *err);

#endif
