/* The CUDA driver API, opened at run time and never linked: a program that needs
 * libcuda.so.1 does not start where there is none. Functions are asked for by the version
 * of their signature (that of cudaTypedefs.h), the lowest that will do, so that older
 * drivers still answer. */
#ifndef HONE_DEVICE_CUDA_DRIVER_H
#define HONE_DEVICE_CUDA_DRIVER_H

#include <cudaTypedefs.h>

#include "hone/status.h"

/* clang-format off */
#define HONE_CUDA_DRIVER_LIST(X)                                                         \
    X(cuInit, 2000)                                                                      \
    X(cuDriverGetVersion, 2020)                                                          \
    X(cuGetErrorName, 6000)                                                              \
    X(cuGetErrorString, 6000)                                                            \
    X(cuDeviceGetCount, 2000)                                                            \
    X(cuDeviceGet, 2000)                                                                 \
    X(cuDeviceGetName, 2000)                                                             \
    X(cuDeviceGetAttribute, 2000)                                                        \
    X(cuDeviceGetPCIBusId, 4010)                                                         \
    X(cuDeviceTotalMem, 3020)                                                            \
    X(cuDeviceGetUuid, 11040)                                                            \
    X(cuDevicePrimaryCtxRetain, 7000)                                                    \
    X(cuDevicePrimaryCtxRelease, 11000)                                                  \
    X(cuCtxSetCurrent, 4000)                                                             \
    X(cuCtxSetLimit, 3010)                                                               \
    X(cuCtxResetPersistingL2Cache, 11000)                                                \
    X(cuStreamCreate, 2000)                                                              \
    X(cuStreamDestroy, 4000)                                                             \
    X(cuStreamQuery, 2000)                                                               \
    X(cuEventCreate, 2000)                                                               \
    X(cuEventDestroy, 4000)                                                              \
    X(cuEventRecord, 2000)                                                               \
    X(cuEventQuery, 2000)                                                                \
    X(cuEventElapsedTime, 2000)                                                          \
    X(cuModuleLoadDataEx, 2010)                                                          \
    X(cuModuleUnload, 2000)                                                              \
    X(cuModuleGetFunction, 2000)                                                         \
    X(cuModuleGetGlobal, 3020)                                                           \
    X(cuFuncGetAttribute, 2020)                                                          \
    X(cuFuncSetAttribute, 9000)                                                          \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)                                 \
    X(cuMemAlloc, 3020)                                                                  \
    X(cuMemFree, 3020)                                                                   \
    X(cuMemcpyHtoD, 3020)                                                                \
    X(cuMemcpyDtoH, 3020)                                                                \
    X(cuMemcpyDtoDAsync, 3020)                                                           \
    X(cuMemsetD8Async, 3020)                                                             \
    X(cuTensorMapEncodeTiled, 12000)                                                     \
    X(cuLaunchKernel, 4000)                                                              \
    X(cuLaunchKernelEx, 11060)                                                           \
    X(cuOccupancyMaxActiveClusters, 11070)                                               \
    X(cuGraphCreate, 10000)                                                              \
    X(cuGraphAddKernelNode, 10000)                                                       \
    X(cuGraphKernelNodeSetAttribute, 11000)                                              \
    X(cuGraphInstantiateWithFlags, 11040)                                                \
    X(cuGraphLaunch, 10000)                                                              \
    X(cuGraphExecDestroy, 10000)                                                         \
    X(cuGraphDestroy, 10000)
/* clang-format on */

struct hone_cuda_driver {
    void *library;
    int version; /* CUDA version the driver offers: 13000 is 13.0 */
    PFN_cuGetProcAddress_v12000 find;
#define HONE_CUDA_DRIVER_FIELD(name, version) PFN_##name##_v##version name;
    HONE_CUDA_DRIVER_LIST(HONE_CUDA_DRIVER_FIELD)
#undef HONE_CUDA_DRIVER_FIELD
};

/* The driver of this process: opened and initialised once, by the first call of any
 * thread, and never closed. $HONE_LIBCUDA names another file than libcuda.so.1. NULL and
 * ENODEVICE when there is no driver or no GPU: the text says which, to each caller. */
const struct hone_cuda_driver *hone_cuda_driver_get(struct hone_error *err);

/* Does it offer the interface that CUPTI is built on (cuGetExportTable)? */
bool hone_cuda_driver_profilable(const struct hone_cuda_driver *driver);

/* The same as get for a given file and without sharing: for tests. */
enum hone_status hone_cuda_driver_open(struct hone_cuda_driver *out, const char *path,
                                       struct hone_error *err);
void hone_cuda_driver_close(struct hone_cuda_driver *driver);

#endif
