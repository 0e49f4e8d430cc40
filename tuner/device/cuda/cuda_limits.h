/* Finding a GPU by its number and reading its limits. */
#ifndef HONE_DEVICE_CUDA_LIMITS_H
#define HONE_DEVICE_CUDA_LIMITS_H

#include "cuda_driver.h"
#include "hone/limits.h"

/* EUSAGE for what is no number; ask ahead of the driver, which may not be there. */
enum hone_status hone_cuda_check_spec(const char *spec, struct hone_error *err);

/* The GPU of "0", "1", ...: ENODEVICE past the last. */
enum hone_status hone_cuda_find(CUdevice *out, const struct hone_cuda_driver *driver,
                                const char *spec, struct hone_error *err);

enum hone_status hone_cuda_read_limits(struct hone_limits *out,
                                       const struct hone_cuda_driver *driver,
                                       CUdevice device, struct hone_error *err);

/* What NVRTC is asked to build for: sm_XYa from 9.0 on, else sm_XY. */
void hone_cuda_arch(char out[16], int64_t major, int64_t minor);

/* "GPU-01234567-89ab-cdef-0123-456789abcdef", as nvidia-smi shows it. */
enum hone_status hone_cuda_read_uuid(char out[48], const struct hone_cuda_driver *driver,
                                     CUdevice device, struct hone_error *err);

#endif
